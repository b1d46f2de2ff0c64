import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { AgentRecord } from '../../../../schemas/agent/record.ts'
import type { TestedCall } from '../../../../schemas/tools/policy-test.ts'
import { failureFacts } from '../../../frame/failures.ts'
import { ReadFailure } from '../../../frame/topic-states.tsx'
import { useLive } from '../../../live/use-live.ts'
import { useDraft } from '../../../parts/forms/fields.tsx'
import { useKeys } from '../../../parts/keys/use-keys.ts'
import { FailureNotice, LoadingRows } from '../../../parts/states/notices.tsx'
import { Shape } from '../../../parts/states/shape.tsx'
import type { StateName } from '../../../parts/states/states.ts'
import { Quoted } from '../../../parts/text/quoted.tsx'
import { Moment } from '../../../parts/time/age.tsx'
import styles from './policy.module.css'
import { KEYS } from '../keys.ts'
import { callOf } from './policy-call.ts'

const RECORDED = 20

const LOOKS: Readonly<Record<TestedCall['before'], { state: StateName; word: string }>> = {
  allow: { state: 'approved', word: 'allowed' },
  ask: { state: 'held', word: 'asked' },
  deny: { state: 'denied', word: 'denied' },
}

/** Judges a written call by the policy in force. Runs nothing. */
export function PolicyTest({ agent }: { agent: AgentRecord }) {
  const { orchestrator } = useLive().clients
  const [line, setLine] = useDraft(`policy/${agent.id}`)
  const [calls, setCalls] = useState<readonly TestedCall[]>([])
  const [error, setError] = useState<unknown>(null)
  const field = useRef<HTMLInputElement>(null)
  const { id, config } = agent
  useKeys([{ ...KEYS.test, run: () => field.current?.focus() }])
  const test = async () => {
    try {
      const body = { agent: id, tool_policy: config.tool_policy, calls: [callOf(line)] }
      setCalls((await orchestrator.testPolicy({ body })).calls)
      setError(null)
    } catch (fault) {
      setCalls([])
      setError(fault)
    }
  }
  return (
    <section>
      <h2>
        Test a call <span className="soft fine">runs nothing</span>
      </h2>
      <form
        className={styles['try']}
        onSubmit={(event) => {
          event.preventDefault()
          void test()
        }}
      >
        <input
          ref={field}
          className="find"
          value={line}
          spellCheck={false}
          aria-label="Call to test"
          placeholder="Bash: git push origin main"
          onChange={(event) => setLine(event.target.value)}
        />
        <button type="submit" className="btn">
          Test <kbd aria-hidden="true">{KEYS.test.keys}</kbd>
        </button>
      </form>
      <div role="status">
        {error instanceof SyntaxError ? (
          <p className="c-fail">{error.message}</p>
        ) : (
          error !== null && <FailureNotice facts={failureFacts(error)} />
        )}
        <Calls calls={calls} label="Result of the test" outcomeOf={({ after }) => after} />
      </div>
    </section>
  )
}

/** Calls that the agent made, each with its decision. */
export function RecentCalls({ agent }: { agent: AgentRecord }) {
  const { orchestrator } = useLive().clients
  const { id, config, updated_at } = agent
  const { data, error, refetch } = useQuery({
    queryKey: ['recorded', id, updated_at],
    queryFn: ({ signal }) =>
      orchestrator.testPolicy({ body: { agent: id, tool_policy: config.tool_policy, recorded: RECORDED }, signal }),
  })
  return (
    <section className="section">
      <h2>Last calls</h2>
      {error && <ReadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows />}
      {data?.calls.length === 0 && <p className="soft">The agent has made no call that is kept.</p>}
      {data && <Calls calls={data.calls} label="Last calls" outcomeOf={({ before }) => before} />}
    </section>
  )
}

interface CallsProps {
  calls: readonly TestedCall[]
  label: string
  /** Null if the call cannot be judged. */
  outcomeOf(call: TestedCall): TestedCall['after']
}

function Calls({ calls, label, outcomeOf }: CallsProps) {
  if (calls.length === 0) return null
  return (
    <table className={`table ${styles['tested']}`}>
      <caption className="hide">{label}</caption>
      <tbody>
        {calls.map((call, index) => {
          const outcome = outcomeOf(call)
          const look = outcome === null ? { state: 'unknown' as const, word: 'not judged' } : LOOKS[outcome]
          return (
            <tr key={index}>
              <td className="num soft">{call.at !== null && <Moment at={call.at} />}</td>
              <td>
                <Shape state={look.state} word={null} /> {look.word}
              </td>
              <td>
                <b>
                  <Quoted text={call.tool} />
                </b>
              </td>
              <td>
                <Quoted text={call.input} mono />
              </td>
              <td className="soft">{call.reason !== null && <Quoted text={call.reason} />}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
