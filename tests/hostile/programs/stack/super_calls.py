# A method that calls itself by way of its parent.
# expect: exception RecursionError

class Parent:
    def call(self):
        return self.call()


class Child(Parent):
    def call(self):
        return super().call()


Child().call()
