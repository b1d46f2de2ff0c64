// Decides whether it is proved that a program asks before every tool, from what the program itself reported.
import { randomUUID } from 'node:crypto'
import type { Launch } from '../schemas/agent/launch.ts'
import { ASKED_TOOLS, asksForEverythingByStar, clearsContext } from './claude-code.ts'
import { textAt, textsAt, type Frame } from './frames.ts'

/** What is known of a program so far; null where it has not said. */
export interface Evidence {
  version: string | null
  mode: string | null
  /** Rules of the settings in force that make a tool ask. */
  askRules: string[] | null
  /** Tools the program offers to its model. */
  tools: string[] | null
  /** A tool that ran without a question. */
  unasked: string | null
}

/** The modes in which an ask rule is obeyed by every version. */
const ASKING_MODES = ['default', 'plan']

/** Why a program cannot be trusted to ask before every tool; null when it can. */
export function unguardedReason(runtime: Launch['runtime'], evidence: Evidence): string | null {
  if (evidence.unasked !== null) return `the program ran tool "${evidence.unasked}" without asking`
  if (evidence.mode === null && runtime === 'acp')
    return 'the Agent Client Protocol lets a program run tools unasked, and this one does not declare that it asks'
  if (evidence.mode === null)
    return 'it is not known whether the program asks before every tool: it named no permission mode'
  if (!ASKING_MODES.includes(evidence.mode)) return `permission mode is "${evidence.mode}", wanted "default"`
  return runtime === 'claude-code' ? unaskedTools(evidence) : null
}

function unaskedTools({ version, askRules, tools }: Evidence): string | null {
  if (version === null) return 'the version of the program is not known, so neither is what its settings mean'
  if (askRules === null) return 'the settings in force could not be read'
  if (asksForEverythingByStar(version))
    return askRules.includes('*') ? null : 'the settings in force hold no rule "*" under permissions.ask'
  const unlisted = (tools ?? ASKED_TOOLS).filter((tool) => !askRules.includes(tool))
  return unlisted.length === 0 ? null : `version ${version} would not ask for ${unlisted.join(', ')}`
}

/** What is known of one program, and the verdict that follows from it. */
export class Guard {
  readonly #runtime: Launch['runtime']
  readonly #onVerdict: (frame: Frame) => void
  #evidence: Evidence = { version: null, mode: null, askRules: null, tools: null, unasked: null }
  #concluded = false
  #last = ''

  /** Calls `onVerdict` with the first verdict and whenever it changes. */
  constructor(runtime: Launch['runtime'], onVerdict: (frame: Frame) => void) {
    this.#runtime = runtime
    this.#onVerdict = onVerdict
  }

  /** Takes what a probe found out; from then on there is a verdict. */
  conclude(found: Partial<Evidence>): void {
    this.#concluded = true
    this.#learn(found)
  }

  /** Looks at a frame of the program for a mode or a tool that changes the verdict. */
  observe(seen: Frame): void {
    if (seen['type'] !== 'system') return
    const found: Partial<Evidence> = {}
    const mode = textAt(seen, 'permissionMode')
    // A frame may only change what the program declared when it was asked; it declares nothing by itself.
    if (mode !== null && this.#evidence.mode !== null) found.mode = mode
    const tools = seen['subtype'] === 'init' ? textsAt(seen, 'tools') : null
    if (tools !== null) found.tools = tools
    if (seen['subtype'] === 'tool_unasked' && this.#runtime === 'acp') found.unasked = textAt(seen, 'tool_name')
    if (Object.keys(found).length > 0) this.#learn(found)
  }

  /** The verdict as a frame with a uuid of its own; null while the probe runs. */
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
