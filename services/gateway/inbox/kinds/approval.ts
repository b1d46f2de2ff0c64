import {
  approve,
  decideAlike,
  deny,
  getApproval,
  listSimilarApprovals,
} from '../../../../schemas/operations/orchestrator/approvals.ts'
import { orchestratorOperations as group } from '../../../../schemas/operations/orchestrator/index.ts'
import { link, named, plain, quoted } from '../parts.ts'
import { entry } from './entry.ts'

export const approval = entry(
  group,
  (reads) => reads.approvals(),
  ({ id, agent_id, agent_name, tool_name, tool_input, alike, created_at, expires_at }) => {
    const agent = agent_name ?? agent_id
    const params = { id }
    return [
      {
        id: `approval/${id}`,
        deadline: expires_at,
        since: created_at,
        title: [named(agent), plain(' requests '), named(tool_name)],
        detail: [quoted(textOf(tool_input), `agent:${agent}`)],
        alike,
        links: [
          link(group, approve, { params }),
          link(group, deny, { params }),
          link(group, decideAlike),
          link(group, getApproval, { params }),
          link(group, listSimilarApprovals, { params }),
        ],
      },
    ]
  },
)

/** The field that people know a call by, else the whole input. */
function textOf(input: unknown): string {
  const { command, file_path, url } = (input ?? {}) as Record<string, unknown>
  const main = [command, file_path, url].find((value) => typeof value === 'string')
  return typeof main === 'string' ? main : (JSON.stringify(input) ?? '')
}
