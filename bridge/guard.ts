// Decides whether it is proved that a program asks before every tool, from what the program itself reported.
import { randomUUID } from 'node:crypto'
import type { Launch } from '../schemas/launch.ts'
import { ASKED_TOOLS, asksForEverythingByStar } from './claude-code.ts'
import { objectAt, textAt, type Frame } from './frames.ts'

/** What is known of a program so far; null where it has not said. */
export interface Evidence {
  version: string | null
  mode: string | null
  /** Rules of the settings in force that make a tool ask. */
  askRules: string[] | null
  /** Tools the program offers to its model. */
  tools: string[] | null
}

/** The modes in which an ask rule is obeyed by every version. */
const ASKING_MODES = ['default', 'plan']

/** Why a program cannot be trusted to ask before every tool; null when it can. */
export function unguardedReason(runtime: Launch['runtime'], evidence: Evidence): string | null {
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

export interface Guard {
  /** Takes what a probe found out; from then on there is a verdict. */
  conclude(found: Partial<Evidence>): void
  /** Looks at a frame of the program for a mode or a tool that changes the verdict. */
  observe(frame: Frame): void
  /** The verdict as a frame with a uuid of its own; null while the probe runs. */
  frame(): Frame | null
}

/** Calls `onVerdict` with the first verdict and whenever it changes. */
export function createGuard(runtime: Launch['runtime'], onVerdict: (frame: Frame) => void): Guard {
  const evidence: Evidence = { version: null, mode: null, askRules: null, tools: null }
  let concluded = false
  let last = ''
  const verdict = () => {
    const reason = unguardedReason(runtime, evidence)
    return {
      agent_version: evidence.version,
      permission_mode: evidence.mode,
      guarded: reason === null,
      guard_reason: reason,
    }
  }
  const frame = () =>
    concluded
      ? { type: 'system', subtype: 'bridge', runtime, ...verdict(), pid: process.pid, uuid: randomUUID() }
      : null
  const learn = (found: Partial<Evidence>) => {
    Object.assign(evidence, found)
    const current = JSON.stringify(verdict())
    if (!concluded || current === last) return
    last = current
    onVerdict(frame()!)
  }
  return {
    conclude(found) {
      concluded = true
      learn(found)
    },
    observe(seen) {
      if (seen['type'] !== 'system') return
      const found: Partial<Evidence> = {}
      const mode = textAt(seen, 'permissionMode')
      // A frame may only change what the program declared when it was asked; it declares nothing by itself.
      if (mode !== null && evidence.mode !== null) found.mode = mode
      if (seen['subtype'] === 'init' && Array.isArray(seen['tools']))
        found.tools = seen['tools'].filter((tool) => typeof tool === 'string')
      if (Object.keys(found).length > 0) learn(found)
    },
    frame,
  }
}

/** What the answer to `initialize` says of the program. */
export function evidenceOf(answer: Frame): Partial<Evidence> {
  return {
    version: textAt(answer, 'agent_version') ?? textAt(answer, 'claude_code_version'),
    mode: textAt(answer, 'current_permission_mode'),
  }
}

/** The ask rules in an answer to `get_settings`; null when it names none at all. */
export function askRulesOf(answer: Frame): string[] | null {
  const rules = objectAt(objectAt(answer, 'effective'), 'permissions')['ask']
  return Array.isArray(rules) ? rules.filter((rule) => typeof rule === 'string') : null
}
