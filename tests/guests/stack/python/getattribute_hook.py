# Every attribute asks for another first. Ends in RecursionError.
class Maze:
    def __getattribute__(self, name):
        return self.other


Maze().exit
