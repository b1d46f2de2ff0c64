import { randomUUID } from 'node:crypto'
import type { Launch } from '../schemas/agent/launch.ts'
import { objectAt, textAt, textsAt, type Frame } from './frames.ts'
import type { Evidence } from './guard.ts'
import type { ProgramStart } from './sandbox/program-start.ts'
import { spawnProgram } from './sandbox/start.ts'
import type { Timers } from './timers.ts'

/** Shorter for a user's program, which may not know the request. */
const patienceMs = (runtime: Launch['runtime']): number =>
  runtime === 'claude-code' || runtime === 'acp' ? 30_000 : 5000

export class Questions {
  readonly #write: (line: string) => void
  readonly #timers: Timers
  /** Settled entries are kept, so that late answers are not forwarded. */
  readonly #asked = new Map<string, (answer: Frame | null) => void>()

  constructor(write: (line: string) => void, timers: Timers) {
    this.#write = write
    this.#timers = timers
  }

  /** Resolves with null on an error or time-out. */
  ask(request: Frame, timeoutMs: number): Promise<Frame | null> {
    return new Promise((resolve) => {
      const requestId = `bridge-${randomUUID()}`
      const patience = this.#timers.after(timeoutMs, () => resolve(null))
      this.#asked.set(requestId, (answer) => {
        patience.cancel()
        resolve(answer)
      })
      this.#write(JSON.stringify({ type: 'control_request', request_id: requestId, request }))
    })
  }

  /** True if the frame answers the bridge itself. */
  settle(frame: Frame): boolean {
    const response = objectAt(frame, 'response')
    const requestId = frame['type'] === 'control_response' ? textAt(response, 'request_id') : null
    const take = requestId === null ? undefined : this.#asked.get(requestId)
    take?.(response['subtype'] === 'success' ? objectAt(response, 'response') : null)
    return take !== undefined
  }
}

export async function probeProgram(questions: Questions, runtime: Launch['runtime']): Promise<Partial<Evidence>> {
  const answer = await questions.ask({ subtype: 'initialize' }, patienceMs(runtime))
  if (!answer) return {}
  return {
    version: textAt(answer, 'agent_version') ?? textAt(answer, 'claude_code_version'),
    mode: textAt(answer, 'current_permission_mode'),
  }
}

export async function probeClaudeCode(
  questions: Questions,
  runVersion: () => Promise<string | null>,
): Promise<Partial<Evidence>> {
  const patience = patienceMs('claude-code')
  const found = await probeProgram(questions, 'claude-code')
  if (Object.keys(found).length === 0) return {}
  // Older versions omit version and mode.
  const version = found.version ?? (await runVersion())
  const mode =
    found.mode ??
    textAt((await questions.ask({ subtype: 'set_permission_mode', mode: 'default' }, patience)) ?? {}, 'mode')
  const settings = await questions.ask({ subtype: 'get_settings' }, patience)
  return { version, mode, askRules: textsAt(objectAt(objectAt(settings ?? {}, 'effective'), 'permissions'), 'ask') }
}

const VERSION_MS = 10_000
const MOST_OUTPUT = 10_000

/** Resolves with the first version in the output, or null. Runs in the sandbox of the program. */
export async function versionOf(start: Omit<ProgramStart, 'stdio'>): Promise<string | null> {
  try {
    const command = [...start.command, '--version'] as [string, ...string[]]
    const program = spawnProgram({ ...start, command, stdio: 'output' })
    let output = ''
    program.stdout?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(0, MOST_OUTPUT)))
    const patience = start.timers.after(VERSION_MS, () => program.kill())
    const exitCode = await program.ended.finally(() => patience.cancel())
    return exitCode === 0 ? (/\d+\.\d+\.\d+\S*/.exec(output)?.[0] ?? null) : null
  } catch {
    return null
  }
}
