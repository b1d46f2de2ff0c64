// Decides whether a start runs in a sandbox.
import { unprocessable } from '../../../../platform/core/problem.ts'
import type { SandboxProbe } from '../../../../platform/sandbox/probe.ts'
import type { ProblemCode } from '../../../../schemas/problem.ts'
import { SANDBOX_DEFAULTS, type SandboxRules, type SandboxSpec } from '../../../../schemas/sandbox.ts'
import type { SandboxFinding } from '../../record/started-sandbox.ts'

export interface SandboxQuestion {
  wanted: SandboxSpec
  /** A directory that is too wide; null if none is. */
  wide: string | null
  /** The last start ran in a sandbox. */
  hadSandbox: boolean
  /** A person has changed its directories since. */
  hasMoved: boolean
  probe(): Promise<SandboxProbe>
}

export interface SandboxDecision {
  /** Null: it runs without one. */
  rules: SandboxRules | null
  /** Why not. */
  finding: SandboxFinding | null
}

/** Throws 422 if a written sandbox, or the one of an earlier start, cannot be kept. */
export async function decideSandbox({
  wanted,
  wide,
  hadSandbox,
  hasMoved,
  probe,
}: SandboxQuestion): Promise<SandboxDecision> {
  if (wanted === null) return without({ code: 'sandbox-off', message: 'its sandbox is off' })
  const isAuto = wanted === 'auto'
  if (wide !== null) {
    const finding = { code: 'sandbox-too-wide', message: wideText(wide) } as const
    if (isAuto && (!hadSandbox || hasMoved)) return without(finding)
    throw fault(finding)
  }
  const found = await probe()
  if (found.ok) return { rules: isAuto ? SANDBOX_DEFAULTS : wanted, finding: null }
  const finding = { code: found.code, message: `${found.message}: ${found.hint}` }
  if (isAuto && !hadSandbox) return without(finding)
  throw fault(isAuto ? { ...finding, message: `${finding.message} (${KEPT})` } : finding)
}

const KEPT = 'its last start had a sandbox, so it does not continue without; to allow that, write sandbox: off'

const without = (finding: SandboxFinding): SandboxDecision => ({ rules: null, finding })

const wideText = (path: string): string =>
  `${path} is too wide for a sandbox, because it holds a home directory or the system: choose a project folder`

const fault = ({ code, message }: SandboxFinding & { code: ProblemCode }) => unprocessable(message, code)
