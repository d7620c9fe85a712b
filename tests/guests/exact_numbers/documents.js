// Passes documents through a tool. `documents` are JSON texts. Integers are BigInts, as tools return them.

const exactly = (text) =>
  JSON.parse(text, (_key, value, { source }) =>
    typeof value === "number" && /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? BigInt(source) : value,
  );
const shown = (value) => require("util").inspect(value, { depth: 20, maxArrayLength: null, maxStringLength: null });

function differs(text) {
  const value = exactly(text);
  try {
    const back = call_tool("echo", { value });
    return shown(back) === shown(value) ? null : `${text} came back as ${shown(back)}`;
  } catch (error) {
    return error.message;
  }
}

documents.map(differs);
