rooms = {"hall": {"north": "kitchen", "east": "study"}, "kitchen": {"south": "hall"}, "study": {"west": "hall"}}
items = {"kitchen": ["knife"], "study": ["book", "lamp"]}
place, bag = "hall", []
for command in "go north|take knife|go west|go south|go east|take lamp|take sword|inventory|dance".split("|"):
    match command.split():
        case ["go", direction] if direction in rooms[place]:
            place = rooms[place][direction]
            print("you are in the", place)
        case ["go", _]:
            print("no way")
        case ["take", thing] if thing in items.get(place, []):
            items[place].remove(thing)
            bag.append(thing)
            print("taken", thing)
        case ["take", thing]:
            print("there is no", thing)
        case ["inventory" | "i"]:
            print(", ".join(sorted(bag)) or "nothing")
        case other:
            print("unknown", other)
print(items, {room: len(exits) for room, exits in rooms.items()})
