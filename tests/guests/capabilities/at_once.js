// Functions of a custom interface, called at the same time: with errors, resources and long values.
import { Place, carry, close, meet } from "test:meetings/places";

const log = [];
log.push(await Promise.all([meet(2, "a"), meet(2, "b")]));
const both = await Promise.allSettled([meet(3, "c"), meet(3, "nobody"), meet(3, "x")]);
log.push(both.slice(0, 2).map(({ value, reason }) => value ?? reason.message));
const place = new Place(3);
log.push(await Promise.all([..."def"].map((name) => place.meet(name))));
const given = [new Place(1), new Place(1)];
const calls = given.map((one) => close(one, 4));
log.push((await Promise.all([...calls, meet(4, "y"), meet(4, "z")])).slice(0, 2));
log.push(await given[0].meet("gone").catch((error) => error instanceof TypeError && /given away/.test(error.message)));
const long = [new Uint8Array(300_000).fill(7), new Uint8Array(300_000).fill(9), ...[1, 2, 3].map(() => new Uint8Array())];
const carried = await Promise.all(long.map((one) => carry(5, one)));
log.push(carried.filter((one) => one.length === 300_000).map((one) => one.at(-1)));
result = log;
