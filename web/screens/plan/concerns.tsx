import type { Plan } from '../../../schemas/plan.ts'
import type { Source } from '../../../schemas/source.ts'
import { shellWord } from '../../parts/commands/curl.ts'
import { Shape } from '../../parts/states/shape.tsx'
import { Quoted } from '../../parts/text/quoted.tsx'
import { Moment } from '../../parts/time/age.tsx'
import { concernsOf } from './rows.ts'
import styles from './plan.module.css'

/** What a person should know before an apply. */
export function Concerns({ plan, source }: { plan: Plan; source: Source | undefined }) {
  const concerns = concernsOf(plan)
  const verdicts = plan.policies ?? []
  return (
    <aside className={styles['side']} aria-label="Before you apply">
      <h2>Before you apply</h2>
      {source && <SourceNotes source={source} />}
      {concerns.length === 0 && <p className="soft">Nothing is on hold, interrupted or left out.</p>}
      {concerns.map(({ state, title, detail, names }) => (
        <div key={title} className={styles['concern']}>
          <Shape state={state} word={null} />
          <div>
            <b>{title}</b>
            <p className="fine">
              <Quoted text={names.join(', ')} mono />
            </p>
            {detail !== '' && <p className="soft fine">{detail}</p>}
          </div>
        </div>
      ))}
      {verdicts.length > 0 && <h3>Plan policies</h3>}
      {verdicts.map(({ policy, effect, resources }) => (
        <div key={`${policy}/${effect}`} className={styles['concern']}>
          <Shape state={effect === 'deny' ? 'denied' : effect === 'confirm' ? 'held' : 'warning'} word={effect} />
          <p>
            <Quoted text={policy} mono /> <span className="soft fine">{effect}</span>
            <br />
            <Quoted text={resources.join(', ')} />
          </p>
        </div>
      ))}
      {source?.window && <SyncWindow window={source.window} />}
    </aside>
  )
}

function SourceNotes({ source }: { source: Source }) {
  return (
    <>
      {source.suspended && (
        <div className={styles['concern']}>
          <Shape state="suspended" word={null} />
          <p>
            <b>The source is suspended.</b> Resume it before an apply: <code>svc resume {shellWord(source.name)}</code>
          </p>
        </div>
      )}
      {source.hold && (
        <div className={styles['concern']}>
          <Shape state="held" word={null} />
          <p>
            <b>A rollback is held</b> at <code>{source.hold.revision.slice(0, 7)}</code>, by{' '}
            <Quoted text={source.hold.actor} />
          </p>
        </div>
      )}
    </>
  )
}

function SyncWindow({ window }: { window: NonNullable<Source['window']> }) {
  return (
    <>
      <h3>Sync window</h3>
      <p>
        <Shape state={window.open ? 'ready' : 'suspended'} word={null} /> {window.open ? 'open' : 'closed'}
        {window.changes_at !== null && (
          <>
            {' '}
            until <Moment at={window.changes_at} />
          </>
        )}
        {!window.open && window.manual && ', a person may apply'}
      </p>
    </>
  )
}
