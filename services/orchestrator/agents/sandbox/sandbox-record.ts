import type { AgentSandbox } from '../../../../schemas/agent/sandbox-state.ts'
import type { AgentRow } from '../../record/agent-store.ts'

type Row = Pick<AgentRow, 'status' | 'sandbox' | 'launched'>

const PREDATES = 'its process was started by a version without sandboxes: restart it'

/** Null if it was never started, or only by an earlier version. */
export function sandboxRecord({ status, sandbox }: Row): AgentSandbox | null {
  if (sandbox === null) {
    if (status !== 'running') return null
    const finding = { code: 'sandbox-older', message: PREDATES }
    return { state: 'unknown', summary: `unknown: ${PREDATES}`, ...NOTHING, ...findingOf(finding) }
  }
  const { launch, finding, fault, refused, tampered } = sandbox
  if (fault !== null)
    return { state: 'failed', summary: `failed: ${fault.message}`, ...NOTHING, ...findingOf(fault), refused }
  if (launch === null)
    return { state: 'off', summary: `off: ${finding?.message}`, ...NOTHING, ...findingOf(finding), refused }
  const [write, hidden, network] = [launch.write.length, launch.closed.length + launch.hide.length, launch.network.mode]
  const summary = `on (write ${write}, hidden ${hidden}, network ${network})`
  return { state: 'on', summary, write, hidden, network, ...findingOf(null), refused, tampered }
}

const NOTHING = { write: 0, hidden: 0, network: null, refused: [], tampered: [] }

const findingOf = (finding: { code: string; message: string } | null) => ({
  code: finding?.code ?? null,
  reason: finding?.message ?? null,
})

/** Why what git runs outside the sandbox may not be trusted; null if nothing is known. */
export function tamperedReason({ status, sandbox }: Row): string | null {
  if (status !== 'running' || !sandbox?.tampered.length) return null
  return (
    `sandbox-git-tampered: ${sandbox.tampered.join(', ')} appeared while it ran and changes what git does: ` +
    'read and remove it, then restart the agent'
  )
}
