import type { FiringRecord, WebhookFacts } from '../../../schemas/workflow/firing.ts'
import { failureFacts } from '../../frame/failures.ts'
import type { Pages } from '../../live/use-pages.ts'
import { FailureNotice } from '../../parts/states/notices.tsx'
import { StateWord } from '../../parts/states/shape.tsx'
import { bytesText } from '../../parts/text/long-text.ts'
import { Quoted } from '../../parts/text/quoted.tsx'
import { ShortId } from '../../parts/text/short-id.tsx'
import { Moment } from '../../parts/time/age.tsx'
import { FIRING_LOOKS } from './rows.ts'
import styles from './workflows.module.css'

/** Firings of the trigger and deliveries to its webhook, newest first, with what each led to. */
export function Firings({ firings }: { firings: Pages<FiringRecord> }) {
  const { items, error, hasMore, isReading, readMore, readAgain } = firings
  return (
    <section className="section">
      <h2>Firings</h2>
      {error !== null && <FailureNotice facts={failureFacts(error)} onRetry={readAgain} />}
      {items?.length === 0 && <p className="soft">No firing is recorded.</p>}
      {items !== null && items.length > 0 && (
        <table className={`table ${styles['history']}`}>
          <caption className="hide">Firings, newest first</caption>
          <thead>
            <tr>
              {['at', 'outcome', 'delivery or reason'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
              <th scope="col" className="end">
                dispatch
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((firing) => (
              <Row key={firing.id} firing={firing} />
            ))}
          </tbody>
        </table>
      )}
      <p className="section">
        {hasMore && (
          <button type="button" className="btn small" disabled={isReading} onClick={readMore}>
            Show older firings
          </button>
        )}{' '}
        <button type="button" className="btn small" disabled={isReading} onClick={readAgain}>
          Read the firings again
        </button>
      </p>
    </section>
  )
}

function Row({ firing }: { firing: FiringRecord }) {
  const { outcome, count, last_at, trigger_type, reason, code, delivery, dispatch_id } = firing
  const { state, word } = FIRING_LOOKS[outcome]
  return (
    <tr>
      <td>
        <Moment at={last_at} />
      </td>
      <td>
        <StateWord state={state} word={count > 1 ? `${word}, ${count} times` : word} />
      </td>
      <td>
        {delivery && <Delivery delivery={delivery} />}
        {reason !== null && (
          <div>
            <Quoted text={reason} />
            {code !== null && <span className="soft"> {code}</span>}
          </div>
        )}
        {delivery === null && reason === null && <span className="soft">{trigger_type.replaceAll('_', ' ')}</span>}
      </td>
      <td className="end">{dispatch_id !== null && <ShortId id={dispatch_id} />}</td>
    </tr>
  )
}

/** Event, size and answer. The sender chose the event, also where its signature is wrong. */
function Delivery({ delivery: { event, bytes, status } }: { delivery: WebhookFacts }) {
  return (
    <div>
      {event !== null && (
        <>
          <Quoted text={event} />{' '}
        </>
      )}
      <span className="soft num">
        {bytes === null ? '' : `${bytesText(bytes)}, `}
        answered {status}
      </span>
    </div>
  )
}
