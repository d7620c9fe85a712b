# Nothing in the text says that this is a call.
for name, function in {"meet": tools.meet}.items():
    print(await function(of=1, name=name))
