import { useState } from 'react'
import type { DispatchRecord } from '../../../schemas/workflow/record.ts'
import { failureFacts } from '../../frame/failures.ts'
import { pagePath, PageLink } from '../../frame/page-link.tsx'
import type { Pages } from '../../live/use-pages.ts'
import { FailureNotice, LoadingRows } from '../../parts/states/notices.tsx'
import { StateWord } from '../../parts/states/shape.tsx'
import { Quoted, Said } from '../../parts/text/quoted.tsx'
import { Moment } from '../../parts/time/age.tsx'
import { costText, DISPATCH_LOOKS, tookText } from './rows.ts'
import styles from './workflows.module.css'

interface HistoryProps {
  dispatches: Pages<DispatchRecord>
  /** Name of the agent; null if it no longer exists. */
  agent: string | null
}

/** Dispatches, newest first, each with its outcome. */
export function History({ dispatches, agent }: HistoryProps) {
  const { items, error, hasMore, isReading, readMore, readAgain } = dispatches
  const [open, setOpen] = useState<string | null>(null)
  return (
    <section className="section">
      <h2>History</h2>
      {error !== null && <FailureNotice facts={failureFacts(error)} onRetry={readAgain} />}
      {items === null && error === null && <LoadingRows count={3} />}
      {items?.length === 0 && <p className="soft">The workflow has not run yet.</p>}
      {items !== null && items.length > 0 && (
        <table className={`table ${styles['history']}`}>
          <caption className="hide">Past dispatches, newest first</caption>
          <thead>
            <tr>
              {['at', 'outcome', 'result'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
              {['took', 'cost', 'dispatch'].map((title) => (
                <th key={title} scope="col" className="end">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map((dispatch) => (
              <Row
                key={dispatch.id}
                dispatch={dispatch}
                agent={agent}
                isOpen={dispatch.id === open}
                onToggle={() => setOpen(dispatch.id === open ? null : dispatch.id)}
              />
            ))}
          </tbody>
        </table>
      )}
      {hasMore && (
        <button type="button" className="btn small" disabled={isReading} onClick={readMore}>
          Show older
        </button>
      )}
    </section>
  )
}

interface RowProps {
  dispatch: DispatchRecord
  agent: string | null
  isOpen: boolean
  onToggle(): void
}

function Row({ dispatch, agent, isOpen, onToggle }: RowProps) {
  const { id, status, created_at, error, result, attempt } = dispatch
  const { state, word } = DISPATCH_LOOKS[status]
  return (
    <>
      <tr>
        <td>
          <Moment at={created_at} />
        </td>
        <td>
          <StateWord state={state} word={attempt > 1 ? `${word}, attempt ${attempt}` : word} />
        </td>
        <td>
          <div className={styles['excerpt']}>
            {error !== null ? <Quoted text={error} /> : result !== null && <Quoted text={result} />}
          </div>
        </td>
        <td className="end num">{tookText(dispatch)}</td>
        <td className="end num">{costText(dispatch)}</td>
        <td className="end">
          <button type="button" className="btn link mono" aria-expanded={isOpen} onClick={onToggle}>
            {id.slice(0, 8)}
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={6}>
            <Details dispatch={dispatch} agent={agent} />
          </td>
        </tr>
      )}
    </>
  )
}

/** The prompt that was sent, and the complete answer. */
function Details({ dispatch, agent }: Pick<RowProps, 'dispatch' | 'agent'>) {
  const { agent_id, source_id, trigger_type, prompt_sent, result, error } = dispatch
  return (
    <>
      <p className="soft">
        task <Quoted text={source_id} mono />, by a {trigger_type.replaceAll('_', ' ')} trigger;{' '}
        <PageLink path={pagePath('agents', agent_id, 'talk')}>conversation of {agent ?? 'the agent'}</PageLink>
      </p>
      <Said by="prompt" text={prompt_sent} />
      {error !== null && <Said by="error" text={error} />}
      {result !== null && <Said by={agent ?? 'agent'} text={result} />}
    </>
  )
}
