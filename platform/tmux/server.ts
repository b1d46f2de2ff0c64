// A tmux server as the daemon asks it: by one client that stays once there are sessions, and by a process a call else.
import { asArguments, runTmux, type Answer, type Commands } from './commands.ts'
import { ControlClient } from './control.ts'

/** A person looks at the sessions there, and counts them. */
const OF_THE_USER = 'default'

/** `isRepeated`: the commands may have been run before, by a client that ended before it said so. */
export type ServerAnswer = Answer & { isRepeated: boolean }

export class TmuxServer {
  readonly #socket: string
  readonly #env: Readonly<Record<string, string>>
  #client: Promise<ControlClient | null> | null = null
  #open: ControlClient | null = null

  constructor(socket: string, env: Readonly<Record<string, string>>) {
    this.#socket = socket
    this.#env = env
  }

  /** Where there are sessions, or are to be: it starts a server where there is none. */
  async attach(): Promise<void> {
    if (this.#socket === OF_THE_USER || this.#open?.isOpen) return
    this.#client ??= ControlClient.open(this.#socket, this.#env).then((client) => {
      this.#client = null
      return (this.#open = client)
    })
    await this.#client
  }

  /** Throws 503 `program-missing` where there is no tmux. */
  async run(commands: Commands): Promise<ServerAnswer> {
    const asked = this.#open?.isOpen ? this.#open : null
    const answer = await asked?.run(commands)
    return answer
      ? { ...answer, isRepeated: false }
      : { ...(await this.runApart(commands)), isRepeated: asked !== null }
  }

  /** By a process of its own. */
  runApart(commands: Commands): Promise<Answer> {
    return runTmux(['-L', this.#socket, '-f', '/dev/null', ...asArguments(commands)], this.#env)
  }

  /** Lets go of the server; what is asked afterwards is asked anew. */
  async close(): Promise<void> {
    const client = (await this.#client) ?? this.#open
    this.#open = null
    await client?.close()
  }
}
