import { ON_RESTART } from '../../schemas/workflow/members.ts'
import { choice, httpAddress, limit, number, seconds, text } from '../../platform/service/settings.ts'

export const settings = {
  approvalTimeoutSecs: seconds({ default: 300, least: 1, variable: 'SVC_APPROVAL_TIMEOUT_SECS' }),
  /** For claude-code agents. */
  agentCommand: text({ default: 'claude', variable: 'SVC_AGENT_COMMAND' }),
  /** For issue and pull request triggers. */
  forgeApiUrl: httpAddress({ default: 'https://api.github.com', variable: 'SVC_FORGE_API_URL' }),
  /** Also for `stream --since`. */
  transcriptDays: number({ default: 7, least: 1, most: 3650, whole: true }),
  /** MiB per agent, above which its oldest entries are deleted. */
  transcriptMb: number({ default: 64, least: 32, most: 100_000, whole: true }),
  /** Days after the end of dispatches, messages and approvals. */
  historyDays: number({ default: 90, least: 1, most: 3650, whole: true }),
  /** For workflows that set none. */
  onRestart: choice(ON_RESTART, { default: 'fail', variable: 'SVC_ON_RESTART' }),
  mostApprovals: limit({ default: 100, variable: 'SVC_LIMIT_PENDING_APPROVALS' }),
  mostMessages: limit({ default: 200, variable: 'SVC_LIMIT_WAITING_MESSAGES' }),
  /** Per caller; a burst can have twice as many. */
  pushesPerSec: limit({ default: 60, variable: 'SVC_LIMIT_QUEUE_PUSHES_PER_SEC' }),
}
