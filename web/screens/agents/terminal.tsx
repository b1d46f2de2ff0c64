import { useQuery } from '@tanstack/react-query'
import type { AgentRecord } from '../../../schemas/agent/record.ts'
import { ReadFailure } from '../../frame/topic-states.tsx'
import { useLive } from '../../live/use-live.ts'
import { LoadingRows } from '../../parts/states/notices.tsx'
import { Quoted } from '../../parts/text/quoted.tsx'
import { Age } from '../../parts/time/age.tsx'
import { useClock } from '../../parts/time/use-clock.ts'
import styles from './agents.module.css'

const LINES = 500

/** The last lines of the terminal: text, read only, read on request. */
export default function Terminal({ agent: { id, name, mux_session } }: { agent: AgentRecord }) {
  const { clients } = useLive()
  const clock = useClock()
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['terminal', id],
    queryFn: async ({ signal }) => {
      const { lines } = await clients.orchestrator.getLogs({ params: { id }, query: { lines: LINES }, signal })
      return { lines: lines.trimEnd().split('\n'), at: new Date(clock.now()).toISOString() }
    },
    gcTime: 0,
  })
  const failure = error && <ReadFailure error={error} onRetry={() => void refetch()} />
  if (!data) return failure ?? <LoadingRows />
  const { lines, at } = data
  return (
    <div className={styles['tab']}>
      {failure}
      <p className={styles['bar']}>
        <button type="button" className="btn small" disabled={isFetching} onClick={() => void refetch()}>
          Read again
        </button>
        <span className="soft">
          {lines.length < LINES ? 'all lines' : `the last ${LINES} lines`}, read <Age at={at} ago />; write in it with{' '}
          <code>tmux -L svc attach -t ={mux_session}</code>
        </span>
      </p>
      <div className="sunken" role="group" aria-label={`Terminal of ${name}`}>
        {lines.map((line, index) => (
          <div key={index}>
            <span className="line" aria-hidden="true">
              {index + 1}
            </span>
            <Quoted text={line} mono />
          </div>
        ))}
      </div>
    </div>
  )
}
