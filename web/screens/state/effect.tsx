import { useQuery } from '@tanstack/react-query'
import type { ResourceDetail } from '../../../schemas/resource.ts'
import { useLive } from '../../live/use-live.ts'
import { Shape } from '../../parts/states/shape.tsx'
import { Quoted } from '../../parts/text/quoted.tsx'
import { Age } from '../../parts/time/age.tsx'
import { effectOf } from './revert-effect.ts'

/** Plans beyond this number would delay the answer. */
const MOST_PLANS = 10

/** What a revert of all drifted fields would do, as planned now. */
export function Effect({ detail }: { detail: ResourceDetail }) {
  const { controller } = useLive().clients
  const open = detail.drift.filter(({ resolution }) => resolution === null)
  const records = open.slice(0, MOST_PLANS)
  const { data, error } = useQuery({
    queryKey: ['effect', ...records.map(({ id, live }) => [id, live])],
    queryFn: ({ signal }) =>
      Promise.all(records.map(({ id }) => controller.planDriftRevert({ params: { id }, signal }))),
    gcTime: 0,
  })
  if (error)
    return (
      <section className="section">
        <h2>Effect of reverting</h2>
        <p className="soft">
          It cannot be planned: <Quoted text={error.message} />.
        </p>
      </section>
    )
  if (!data || data.length === 0) return null
  const { text, interrupts } = effectOf(data)
  const [{ hash, created_at }] = data as [(typeof data)[0]]
  return (
    <section className="section">
      <h2>Effect of reverting</h2>
      <p>
        <Shape state={interrupts.length > 0 ? 'warning' : 'ready'} word={null} /> {text}{' '}
        {interrupts.map((work) => (
          <span key={work}>
            Interrupts <Quoted text={work} />.{' '}
          </span>
        ))}
        {data.length === 1 ? (
          <>
            Plan <code>{hash.slice(0, 8)}</code>, made{' '}
          </>
        ) : (
          `${data.length} plans, made `
        )}
        <Age at={created_at} ago />.
        {open.length > records.length && ` Of ${open.length} records, the first ${records.length}.`}
      </p>
    </section>
  )
}
