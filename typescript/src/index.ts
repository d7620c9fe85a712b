/**
 * A client of `isolette serve`: sandboxes for programs that language models write.
 *
 * ```ts
 * import { Client } from "isolette";
 *
 * const client = new Client();
 * await using sandbox = await client.createSandbox();
 * const { value } = await sandbox.run("sum(range(10))");
 * ```
 *
 * @module
 */
export type { ClientOptions } from "./address.js";
export { Client, type FreshRunOptions, type SandboxOptions } from "./client.js";
export { IsoletteError } from "./errors.js";
export { Run } from "./run.js";
export { Sandbox } from "./sandbox.js";
export type { Approve, Tool, ToolContext, ToolOptions } from "./tools.js";
export type * from "./types.js";
