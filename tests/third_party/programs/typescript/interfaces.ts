interface User { readonly id: number; name: string; email?: string; tags: ReadonlyArray<string>; }
type Partialish<T> = { [K in keyof T]?: T[K] };
const users: User[] = [{ id: 1, name: "Ada", tags: ["math"] }, { id: 2, name: "Bob", email: "b@x.y", tags: [] }];
function update<T extends object>(value: T, change: Partialish<T>): T { return { ...value, ...change }; }
const isUser = (value: unknown): value is User => typeof value === "object" && value !== null && "id" in value;
console.log(update(users[0]!, { name: "Ada L." } as const), isUser(users[1]), isUser(3));
const byId: Record<number, User> = Object.fromEntries(users.map((u) => [u.id, u] as [number, User]));
console.log(byId[2]?.email ?? "none", (byId[1] as User).email satisfies string | undefined);
