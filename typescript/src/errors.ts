/** Why a request or a run failed. */
export class IsoletteError extends Error {
  override readonly name = "IsoletteError";
  /** A name for programs: `NotFound`, `InvalidArgument`, `Busy`, `Timeout`, `Cancelled`, …; `Connection` if the server cannot be reached. */
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
