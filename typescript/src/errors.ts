/** Why a request or a run failed. */
export class IsoletteError extends Error {
  override readonly name = "IsoletteError";
  /**
   * A name for programs: `NotFound`, `InvalidArgument`, `Busy`, `Timeout`, `Cancelled`, …. It is `Connection` if the server
   * cannot be reached or the connection broke off, and `Http` if something that is not this server has answered.
   */
  readonly type: string;
  /** What to do about it. */
  readonly hint: string;
  /** The status of the response, if there was one that refused the request. */
  readonly status: number | undefined;

  constructor(type: string, message: string, hint = "", status?: number, cause?: unknown) {
    super(hint ? `${message}\nhint: ${hint}` : message, cause === undefined ? undefined : { cause });
    this.type = type;
    this.hint = hint;
    this.status = status;
  }
}

/** The error for a server that does not accept a connection. */
export function unreachable(cause: unknown): IsoletteError {
  const hint = "start it with `isolette serve`, or name another one: `url`, or the variable ISOLETTE_SERVER";
  return new IsoletteError("Connection", `the server cannot be reached: ${textOf(cause)}`, hint, undefined, cause);
}

/** The error for a connection that ended before the response did. */
export function brokenOff(cause?: unknown): IsoletteError {
  const why = cause === undefined ? "" : `: ${textOf(cause)}`;
  const hint = "look at the runs of the sandbox; a program in the background (`start`) does not depend on a connection";
  return new IsoletteError("Connection", `the connection broke off${why}`, hint, undefined, cause);
}

/** The message of what was thrown. */
export function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
