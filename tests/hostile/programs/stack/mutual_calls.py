# Two functions that call each other, with many arguments.
# expect: exception RecursionError

def ping(*arguments, **keywords):
    return pong(*arguments, 1, **keywords)


def pong(*arguments, **keywords):
    return ping(*arguments[-3:], **keywords, colour="red") if not keywords else ping(*arguments[-3:], **keywords)


ping()
