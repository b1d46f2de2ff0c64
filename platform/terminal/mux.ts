// The terminal multiplexer that hosts agent sessions.

export interface MuxSession {
  name: string
  /** Process id of the session's first pane. */
  pid: number
  /** True when the program has ended and the pane was kept for its exit code. */
  dead: boolean
  /** Exit code of a dead pane; 128 + n when signal n ended it; null while it lives. */
  exitCode: number | null
}

/** Where a program runs in a terminal. A session has one at first; whoever is in it may open more. */
export interface MuxPane {
  session: string
  /** The first process in it. */
  pid: number
  /** The process that all terminals descend from. */
  server: number
}

export interface LaunchOptions {
  name: string
  command: readonly string[]
  directory: string
  /** Environment of the session; nothing else is inherited but what a login needs. Not for secrets: argv is public. */
  env?: Record<string, string>
}

/** Targets are always exact: a name never matches a longer one. */
export interface Mux {
  /** Starts a session with `command` as its only program; a session of that name must not exist. */
  launch(options: LaunchOptions): Promise<MuxSession>
  /** All sessions of the server; none when it does not run. */
  list(): Promise<MuxSession[]>
  /** All terminals of all sessions; none when the server does not run. */
  panes(): Promise<MuxPane[]>
  get(name: string): Promise<MuxSession | null>
  /** Ends the session and its program; gone already is success. */
  kill(name: string): Promise<void>
  /** The last `lines` of what the program wrote to its terminal. */
  capture(name: string, lines: number): Promise<string>
  /** The command a person types to look at the session. */
  attachCommand(name: string): string[]
  /** Version of the program, or null when it is not installed. */
  version(): Promise<string | null>
}
