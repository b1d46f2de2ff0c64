import type { AgentRecord } from '../../../schemas/agent/record.ts'
import type { Usage } from '../../../schemas/agent/usage.ts'
import { ReadFailure } from '../../frame/topic-states.tsx'
import { LoadingRows } from '../../parts/states/notices.tsx'
import { Age } from '../../parts/time/age.tsx'
import styles from './agents.module.css'
import { costText, wholeText as whole } from './usage-text.ts'
import { useUsage } from './use-usage.ts'

const ROWS: readonly { title: string; of(usage: Usage): string }[] = [
  { title: 'cost', of: ({ total_cost_usd }) => costText(total_cost_usd) },
  { title: 'turns', of: ({ num_turns }) => whole(num_turns) },
  { title: 'results', of: ({ result_count }) => whole(result_count) },
  { title: 'input tokens', of: ({ input_tokens }) => whole(input_tokens) },
  { title: 'output tokens', of: ({ output_tokens }) => whole(output_tokens) },
  { title: 'tokens read from cache', of: (usage) => whole(usage.cache_read_input_tokens) },
  { title: 'tokens written to cache', of: (usage) => whole(usage.cache_creation_input_tokens) },
  { title: 'time', of: ({ duration_ms }) => `${whole(Math.round(duration_ms / 1000))} s` },
]

/** Tokens, cost and turns, of the present session and of all. */
export default function UsageTab({ agent }: { agent: AgentRecord }) {
  const { name, config } = agent
  const { data, error, refetch } = useUsage(agent)
  const failure = error && <ReadFailure error={error} onRetry={() => void refetch()} />
  if (!data) return failure ?? <LoadingRows />
  const { usage, at } = data
  return (
    <div className={styles['tab']}>
      {failure}
      <table className="table num">
        <caption className="hide">Usage of {name}</caption>
        <thead>
          <tr>
            <th scope="col">figure</th>
            <th scope="col" className="end">
              this session
            </th>
            <th scope="col" className="end">
              all sessions ({whole(usage.session_count)})
            </th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map(({ title, of }) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              <td className="end">{of(usage.current_session)}</td>
              <td className="end">{of(usage.cumulative)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="soft">
        {config.max_cost_usd == null ? 'No limit of the cost' : `Limit of the cost: ${costText(config.max_cost_usd)}`},
        read <Age at={at} ago />
      </p>
    </div>
  )
}
