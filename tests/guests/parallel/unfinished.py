# Ends while calls are pending.
tools.stuck.start()
tools.stuck.start()
tools.meet.start(of=1, name="done").result()
result = "ended"
