// What of the orchestrator the environment decides.
import { ON_RESTART } from '../../schemas/workflow/members.ts'
import { choice, httpAddress, number, seconds, text } from '../../platform/service/settings.ts'

export const settings = {
  /** How long a tool request waits for a person. */
  approvalTimeoutSecs: seconds({ default: 300, least: 1, variable: 'SVC_APPROVAL_TIMEOUT_SECS' }),
  /** The program of agents of the runtime claude-code. */
  agentCommand: text({ default: 'claude', variable: 'SVC_AGENT_COMMAND' }),
  /** Where the forge's API is asked, by triggers of issues and pull requests. */
  forgeApiUrl: httpAddress({ default: 'https://api.github.com', variable: 'SVC_FORGE_API_URL' }),
  /** Days that what was said is kept, for `stream --since`. */
  transcriptDays: number({ default: 7, least: 1, most: 3650, whole: true }),
  /** Days that a dispatch and a message are kept once they have ended. */
  historyDays: number({ default: 90, least: 1, most: 3650, whole: true }),
  /** What becomes of dispatches in flight when the daemon restarts, where their workflow does not say. */
  onRestart: choice(ON_RESTART, { default: 'fail', variable: 'SVC_ON_RESTART' }),
}
