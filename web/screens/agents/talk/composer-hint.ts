import type { AgentRecord } from '../../../../schemas/agent/record.ts'
import type { Whoami } from '../../../../schemas/gateway/session.ts'

export interface ComposerHint {
  text: string
  canSend: boolean
}

interface Situation {
  /** True while the connection is lost. */
  isLost: boolean
  /** Prompts before a new one; null while unknown. */
  queued: number | null
}

/** True if the caller may send prompts and interrupt turns. A browser that an agent drives sends none. */
export const mayTalk = ({ role, agent }: Pick<Whoami, 'role' | 'agent'>): boolean =>
  agent === null && role !== null && role !== 'viewer'

/** When the agent takes a prompt, or why it takes none. */
export function composerHint(
  {
    name,
    status,
    activity,
    connected,
    config,
  }: Pick<AgentRecord, 'name' | 'status' | 'activity' | 'connected' | 'config'>,
  caller: Pick<Whoami, 'subject' | 'role' | 'agent'>,
  { isLost, queued }: Situation,
): ComposerHint {
  const no = (text: string): ComposerHint => ({ text, canSend: false })
  const yes = (when: string): ComposerHint => ({ text: `Message to ${name}: taken ${when}`, canSend: true })
  if (isLost) return no('Not connected: a message can be written, and sent later')
  if (!mayTalk(caller)) return no(`You are ${caller.subject}: sending takes the role operator`)
  if (config.interactive) return no(`${name} is interactive: attach to its terminal`)
  if (status !== 'running') return no(`${name} is ${status} and takes no messages`)
  if (!connected) return no(`${name} is not connected and takes no messages`)
  if (activity === 'idle') return yes('at once')
  return yes(queued ? `after its present turn and ${countText(queued, 'queued prompt')}` : 'after its present turn')
}

/** "1 line", "2 lines" */
export const countText = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`
