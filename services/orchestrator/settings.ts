// What of the orchestrator the environment decides.
import { seconds, text } from '../../platform/service/settings.ts'

export const settings = {
  /** How long a tool request waits for a person. */
  approvalTimeoutSecs: seconds({ default: 300, least: 1, variable: 'SVC_APPROVAL_TIMEOUT_SECS' }),
  /** The program of agents of the runtime claude-code. */
  agentCommand: text({ default: 'claude', variable: 'SVC_AGENT_COMMAND' }),
}
