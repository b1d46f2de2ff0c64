// The files that desired state is read from. Only agents with `may: [source]` may write them.

/** A folder of manifests, or a single file. Paths are real. */
export interface DesiredPlace {
  /** Of a source, or the reader of the file. */
  readBy: string
  root: string
  /** True if a file at this path is read, or would be. Default: only `root` itself. */
  reads?(path: string): boolean
  /** True if the folder contains such files, at any depth. */
  holds?(folder: string): boolean
}

/** A version of a file. */
export interface ChangedFile {
  /** Real. */
  path: string
  /** Milliseconds since 1970. */
  changedAt: number
}

/** The controller adds what its sources read. */
export class DesiredFiles {
  readonly #added: (() => readonly DesiredPlace[])[] = []

  add(places: () => readonly DesiredPlace[]): void {
    this.#added.push(places)
  }

  places(): DesiredPlace[] {
    return this.#added.flatMap((places) => places())
  }
}
