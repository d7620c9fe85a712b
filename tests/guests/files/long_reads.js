// Reads each file of /input whole, as streams of parts of several sizes and in ranges from its end, and writes it to /output.

const { createHash } = await import("crypto");
const fs = await import("fs");

const CHUNK = 192 * 1024;

async function digest(parts) {
    const hash = createHash("sha256");
    for await (const part of parts) hash.update(part);
    return hash.digest("hex");
}

const inParts = (path, size) => fs.createReadStream(path, { highWaterMark: size });

/** The ranges from the last to the first, each at its place. */
async function backwards(path, size) {
    const parts = [];
    const length = fs.statSync(path).size;
    for (let start = Math.floor((length - 1) / size) * size; start >= 0; start -= size) {
        const range = fs.createReadStream(path, { start, end: Math.min(start + size, length) - 1 });
        const part = [];
        for await (const piece of range) part.push(piece);
        parts.unshift(Buffer.concat(part));
    }
    return parts;
}

const digests = {};
for (const name of fs.readdirSync("/input").sort()) {
    const [path, copy, appended] = [`/input/${name}`, `/output/${name}`, `/output/${name}.parts`];
    fs.writeFileSync(copy, fs.readFileSync(path));
    for await (const part of inParts(path, CHUNK + 1)) fs.appendFileSync(appended, part);
    digests[name] = [
        await digest([fs.readFileSync(path)]),
        await digest([read_file_bytes(path)]),
        await digest([await fs.promises.readFile(path)]),
        await digest(inParts(path, 10_000)),
        await digest(inParts(path, CHUNK)),
        await digest(inParts(path, CHUNK + 1)),
        await digest(await backwards(path, CHUNK + 1)),
        await digest([fs.readFileSync(copy)]),
        await digest([fs.readFileSync(appended)]),
    ];
}

digests;
