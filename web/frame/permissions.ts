import type { Whoami } from '../../schemas/gateway/session.ts'

/** What an action takes: a permission, or only the role operator. */
export type Guard = Whoami['may'][number] | 'operator'

const passes = ({ role, may }: Pick<Whoami, 'role' | 'may'>, guard: Guard): boolean =>
  guard === 'operator' ? role !== null && role !== 'viewer' : may.includes(guard)

/** True if the caller may act now. A browser that an agent drives is that agent: it decides nothing here. */
export const canAct = (caller: Pick<Whoami, 'role' | 'may' | 'agent'>, guard: Guard, isLost: boolean): boolean =>
  !isLost && caller.agent === null && passes(caller, guard)

/** Why the caller may not act now; null if it may. */
export function limitText(caller: Whoami, guard: Guard, isLost: boolean): string | null {
  const { subject, role, agent } = caller
  if (isLost) return 'Actions are disabled while disconnected.'
  if (agent !== null) return 'An agent drives this browser: it takes no decisions here.'
  if (passes(caller, guard)) return null
  return `You are ${subject}${role === null ? '' : ` (${role})`}. This takes the ${guard === 'operator' ? 'role' : 'permission'} ${guard}.`
}
