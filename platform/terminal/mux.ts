export interface MuxSession {
  name: string
  /** Process id of the first pane. */
  pid: number
  /** The program has exited; the pane is kept for its exit code. */
  dead: boolean
  /** Exit code of a dead pane; 128 + n for signal n; null while alive. */
  exitCode: number | null
}

/** A terminal. Programs and users in a session can open more. */
export interface MuxPane {
  session: string
  pid: number
  /** Process id of the server, the ancestor of all panes. */
  server: number
}

export interface LaunchOptions {
  name: string
  command: readonly string[]
  directory: string
  /** Added to the variables of a login. Not for secrets: argv is public. */
  env?: Record<string, string>
}

/** Session names are matched exactly, never by prefix. */
export interface Mux {
  /** Starts a session that runs only `command`. Throws 409 if the name is in use. */
  launch(options: LaunchOptions): Promise<MuxSession>
  /** Returns no sessions if the server is not running. */
  list(): Promise<MuxSession[]>
  /** Returns the panes of all sessions; none if the server is not running. */
  panes(): Promise<MuxPane[]>
  get(name: string): Promise<MuxSession | null>
  /** Ends the session and its program; succeeds if there is none. */
  kill(name: string): Promise<void>
  capture(name: string, lines: number): Promise<string>
  attachCommand(name: string): string[]
  /** Returns null if the program is not installed. */
  version(): Promise<string | null>
}
