// A model that writes programs, with Vercel's AI SDK: `node ai-sdk.js`. The model is scripted: the example needs no network.
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { Client } from "isolette";
import { codeTool } from "isolette/ai";

const tools = [{
  name: "temperature",
  description: "The temperature in a city, in degrees Celsius.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  run: ({ city }: { city: string }) => ({ Oslo: 4, Rome: 19 })[city] ?? 10,
}];

const client = new Client();
await using sandbox = await client.createSandbox({ tools });

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const code = "temperatures = {city: call_tool('temperature', city=city) for city in ['Oslo', 'Rome']}\ntemperatures";
let turn = 0;
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    turn += 1;
    if (turn === 1) {
      return {
        content: [{ type: "tool-call", toolCallId: "1", toolName: "code", input: JSON.stringify({ code }) }],
        finishReason: { unified: "tool-calls", raw: undefined }, usage, warnings: [],
      };
    }
    const answer = JSON.stringify(prompt.at(-1));
    const text = answer.includes("19") ? "It is warmer in Rome." : answer;
    return { content: [{ type: "text", text }], finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] };
  },
});

const { text } = await generateText({
  model,
  tools: { code: codeTool(sandbox) },
  stopWhen: isStepCount(5),
  prompt: "Where is it warmer, in Oslo or in Rome?",
});
console.log(text);
