import type { Whoami } from '../../schemas/gateway/session.ts'

export type Guard = Whoami['may'][number]

/** True if the caller may act now. A browser that an agent drives is that agent: it decides nothing here. */
export const canAct = ({ may, agent }: Pick<Whoami, 'may' | 'agent'>, guard: Guard, isLost: boolean): boolean =>
  !isLost && agent === null && may.includes(guard)

/** Why the caller may not act now; null if it may. */
export function limitText({ subject, role, may, agent }: Whoami, guard: Guard, isLost: boolean): string | null {
  if (isLost) return 'Actions are disabled while disconnected.'
  if (agent !== null) return 'An agent drives this browser: it takes no decisions here.'
  if (may.includes(guard)) return null
  return `You are ${subject}${role === null ? '' : ` (${role})`}. This takes the permission ${guard}.`
}
