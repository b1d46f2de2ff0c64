// Decides whether a start runs in a sandbox.
import { unprocessable } from '../../../../platform/core/problem.ts'
import type { SandboxFault } from '../../../../platform/sandbox/fault.ts'
import type { SandboxProbe } from '../../../../platform/sandbox/probe.ts'
import type { ProblemCode } from '../../../../schemas/problem.ts'
import type { SandboxSpec } from '../../../../schemas/sandbox/sandbox.ts'
import type { SandboxFinding } from '../../record/started-sandbox.ts'

export interface SandboxQuestion {
  wanted: SandboxSpec
  /** Why it cannot be mounted; null if nothing is known. */
  fault: SandboxFault | null
  /** The last start ran in a sandbox. */
  hadSandbox: boolean
  /** A person has changed its directories since. */
  hasMoved: boolean
  probe(): Promise<SandboxProbe>
}

/** Returns why it runs without a sandbox, or null. Throws 422 if one that is written, or that it had, cannot be kept. */
export async function decideSandbox(question: SandboxQuestion): Promise<SandboxFinding | null> {
  const { wanted, hadSandbox, hasMoved } = question
  if (wanted === null)
    return { code: 'sandbox-off', message: 'its manifest, policy or configuration says sandbox: off' }
  const found = await findingOf(question)
  if (found === null) return null
  const finding = { code: found.code, message: `${found.message}: ${found.hint}` }
  if (wanted !== 'auto') throw unprocessable(finding.message, finding.code)
  if (!hadSandbox || (hasMoved && found.code === 'sandbox-too-wide')) return finding
  throw unprocessable(`${finding.message} (${KEPT})`, finding.code)
}

const KEPT = 'its last start had a sandbox, so it does not continue without one unless sandbox: off is written'

async function findingOf({
  fault,
  probe,
}: SandboxQuestion): Promise<{ code: ProblemCode; message: string; hint: string } | null> {
  const found = await probe()
  return found.ok ? fault : found
}
