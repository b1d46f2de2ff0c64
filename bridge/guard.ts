// Decides from a program's reports whether it provably asks before every tool.
import { randomUUID } from 'node:crypto'
import type { Launch } from '../schemas/agent/launch.ts'
import { ASKED_TOOLS, asksForEverythingByStar, clearsContext } from './claude-code.ts'
import { textAt, textsAt, type Frame } from './frames.ts'

/** Null until the program reports a value. */
export interface Evidence {
  version: string | null
  mode: string | null
  askRules: string[] | null
  tools: string[] | null
  /** A tool that ran without a permission request. */
  unasked: string | null
}

/** Modes in which every version obeys ask rules. */
const ASKING_MODES = ['default', 'plan']

/** Returns null if the program provably asks before every tool. */
export function unguardedReason(runtime: Launch['runtime'], evidence: Evidence): string | null {
  if (evidence.unasked !== null) return `the program ran tool "${evidence.unasked}" without asking`
  if (evidence.mode === null && runtime === 'acp')
    return 'the Agent Client Protocol permits tools without a request, and the program does not declare that it asks'
  if (evidence.mode === null)
    return 'unknown whether the program asks before every tool: it reported no permission mode'
  if (!ASKING_MODES.includes(evidence.mode)) return `permission mode: expected "default", got "${evidence.mode}"`
  return runtime === 'claude-code' ? unaskedTools(evidence) : null
}

function unaskedTools({ version, askRules, tools }: Evidence): string | null {
  if (version === null) return 'unknown program version, so its settings cannot be interpreted'
  if (askRules === null) return 'the effective settings could not be read'
  if (asksForEverythingByStar(version))
    return askRules.includes('*') ? null : 'the effective settings have no rule "*" in permissions.ask'
  const unlisted = (tools ?? ASKED_TOOLS).filter((tool) => !askRules.includes(tool))
  return unlisted.length === 0 ? null : `version ${version} would not ask for ${unlisted.join(', ')}`
}

export class Guard {
  readonly #runtime: Launch['runtime']
  readonly #onVerdict: (frame: Frame) => void
  #evidence: Evidence = { version: null, mode: null, askRules: null, tools: null, unasked: null }
  #concluded = false
  #last = ''

  /** Calls `onVerdict` with the first verdict and after each change. */
  constructor(runtime: Launch['runtime'], onVerdict: (frame: Frame) => void) {
    this.#runtime = runtime
    this.#onVerdict = onVerdict
  }

  conclude(found: Partial<Evidence>): void {
    this.#concluded = true
    this.#learn(found)
  }

  observe(seen: Frame): void {
    if (seen['type'] !== 'system') return
    const found: Partial<Evidence> = {}
    const mode = textAt(seen, 'permissionMode')
    // A frame can change the mode declared in the probe, but cannot declare one.
    if (mode !== null && this.#evidence.mode !== null) found.mode = mode
    const tools = seen['subtype'] === 'init' ? textsAt(seen, 'tools') : null
    if (tools !== null) found.tools = tools
    if (seen['subtype'] === 'tool_unasked' && this.#runtime === 'acp') found.unasked = textAt(seen, 'tool_name')
    if (Object.keys(found).length > 0) this.#learn(found)
  }

  /** Returns null while the probe runs. */
  frame(): Frame | null {
    return this.#concluded ? this.#toFrame() : null
  }

  #learn(found: Partial<Evidence>): void {
    this.#evidence = { ...this.#evidence, ...found }
    const current = JSON.stringify(this.#verdict())
    if (!this.#concluded || current === this.#last) return
    this.#last = current
    this.#onVerdict(this.#toFrame())
  }

  #toFrame(): Frame {
    const { pid } = process
    return { type: 'system', subtype: 'bridge', runtime: this.#runtime, ...this.#verdict(), pid, uuid: randomUUID() }
  }

  #verdict(): Frame {
    const { version, mode } = this.#evidence
    const reason = unguardedReason(this.#runtime, this.#evidence)
    return {
      agent_version: version,
      permission_mode: mode,
      guarded: reason === null,
      guard_reason: reason,
      capabilities: { clears_context: this.#runtime !== 'claude-code' || clearsContext(version) },
    }
  }
}
