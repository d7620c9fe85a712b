// What the programs of README.md use without defining it.
import { MockLanguageModelV4 } from "ai/test";
import { Client } from "isolette";

export const code = "print('from a program')";
export const prompt = "How much is order 7?";
export const database = { order: async (number: number, _: { signal: AbortSignal }) => ({ number, total: 12.5 }) };
export const client = new Client();
export const sandbox = await client.createSandbox();

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
export const model = new MockLanguageModelV4({
  doGenerate: async () => ({
    content: [{ type: "tool-call", toolCallId: "1", toolName: "code", input: JSON.stringify({ code: "6 * 7" }) }],
    finishReason: { unified: "tool-calls", raw: undefined }, usage, warnings: [],
  }),
});
