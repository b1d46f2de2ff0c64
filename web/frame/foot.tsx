import type { AgentRecord } from '../../schemas/agent/record.ts'
import { agentsTopic } from '../live/topics.ts'
import { useConnection, useFigure, useLive, useLostAt, useTopic } from '../live/use-live.ts'
import { Age } from '../parts/time/age.tsx'
import { clockText } from '../parts/time/dates.ts'
import { Shape } from '../parts/states/shape.tsx'
import { Quoted } from '../parts/text/quoted.tsx'
import styles from './frame.module.css'
import { useSources } from './use-sources.ts'

/** Liveness and figures of the fleet. */
export function Foot({ onKeys }: { onKeys(): void }) {
  const lostAt = useLostAt()
  return (
    <footer className={lostAt === null ? styles['foot'] : `${styles['foot']} ${styles['lost']}`}>
      {lostAt === null ? <Liveness /> : <Loss at={lostAt} />}
      <Sources />
      <Fleet />
      <button type="button" className="btn plain small" onClick={onKeys}>
        <kbd aria-hidden="true">?</kbd> keys
      </button>
    </footer>
  )
}

function Liveness() {
  const { kind } = useConnection()
  return (
    <span role="status" className={styles['live']}>
      <Shape state={kind === 'live' ? 'ready' : 'pending'} word={null} /> {kind === 'live' ? 'live' : 'connecting'}
    </span>
  )
}

function Loss({ at }: { at: number }) {
  const { retry } = useLive()
  return (
    <span role="alert">
      <Shape state="unknown" word={null} /> <b>connection lost at {clockText(at)}</b>, showing data from then; retrying,{' '}
      <button type="button" className="btn link" onClick={retry}>
        retry now
      </button>
    </span>
  )
}

function Sources() {
  const { data } = useSources()
  const [first, ...others] = data ?? []
  if (first === undefined) return null
  if (others.length > 0) return <span className="num">{others.length + 1} sources</span>
  return (
    <span>
      source <Quoted text={first.name} />
      {first.revision !== null && (
        <>
          {' '}
          at <code>{first.revision.slice(0, 7)}</code>
        </>
      )}
      {first.observed_at !== null && (
        <>
          , read <Age at={first.observed_at} ago />
        </>
      )}
    </span>
  )
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function fleetText(agents: readonly AgentRecord[]): string {
  const running = agents.filter(({ status }) => status === 'running')
  const busy = running.filter(({ activity }) => activity === 'busy').length
  const failed = agents.filter(({ status }) => status === 'failed').length
  const states = [`${running.length - busy} idle`, `${busy} busy`, ...(failed > 0 ? [`${failed} failed`] : [])]
  return `${plural(agents.length, 'agent')}: ${states.join(', ')}`
}

function Fleet() {
  const { cache, isKnown } = useTopic(agentsTopic)
  const text = useFigure(cache, fleetText)
  return isKnown && <span className="num">{text}</span>
}
