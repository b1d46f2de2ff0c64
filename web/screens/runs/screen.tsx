import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { memo, useEffect, useMemo, useState } from 'react'
import type { Run } from '../../../schemas/run.ts'
import { useAddressText } from '../../frame/address.ts'
import { useAwake } from '../../frame/decisions.ts'
import { ReadFailure, TopicStates } from '../../frame/topic-states.tsx'
import { Detail } from '../../parts/lists/detail.tsx'
import { pagePath, PageLink, useGo } from '../../frame/page-link.tsx'
import { ScreenHead } from '../../frame/screen-head.tsx'
import { runsTopic } from '../../live/topics.ts'
import { useLive, useRecords, useTopic } from '../../live/use-live.ts'
import { FilterField, NoMatch } from '../../parts/forms/filter-field.tsx'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { useFirstRows } from '../../parts/lists/first-rows.tsx'
import { movedIndex } from '../../parts/lists/roving.ts'
import { LoadingRows } from '../../parts/states/notices.tsx'
import { Shape } from '../../parts/states/shape.tsx'
import { CutText } from '../../parts/text/cut-text.tsx'
import { excerpt } from '../../parts/text/excerpt.ts'
import { Quoted } from '../../parts/text/quoted.tsx'
import { Moment } from '../../parts/time/age.tsx'
import { useNow } from '../../parts/time/use-clock.ts'
import { KEYS } from './keys.ts'
import { RunView } from './run.tsx'
import { matchingRuns, newestFirst, runDays, runState, stepsText } from './rows.ts'

const STEP_MS = 60_000

/** Runs of the daemon: their steps, results and authors. */
export default function RunsScreen() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const topic = useTopic(runsTopic)
  const runs = useRecords(topic.cache)
  const [query, setQuery] = useAddressText('q')
  const found = useMemo(() => newestFirst(matchingRuns(runs, query)), [runs, query])
  // Without an id, a new run does not replace the one that was shown first. A run may be older than the list.
  const [first, setFirst] = useState<string | null>(null)
  const run = found.find((each) => each.id === (id ?? first)) ?? (id === undefined ? found[0] : undefined)
  const [shown, more] = useFirstRows(found, run)
  const days = runDays(shown, useNow(STEP_MS))
  const isAwake = useAwake(run?.id ?? null)
  useEffect(() => {
    if (first === null && run) setFirst(run.id)
  }, [first, run])
  const go = useGo()
  const move = (key: string) => {
    const next = movedIndex(key, run ? found.indexOf(run) : -1, found.length)
    if (next !== null) go(pagePath('runs', found[next]!.id), { replace: id !== undefined, keepSearch: true })
  }
  useKeys([
    { ...KEYS.next, run: () => move('j') },
    { ...KEYS.previous, run: () => move('k') },
    { ...KEYS.back, run: () => go('/runs', { keepSearch: true }) },
  ])
  return (
    <div className="two" data-open={id !== undefined}>
      <section className="list" aria-label="Runs">
        <ScreenHead title="Runs">
          <FilterField label="Filter runs" placeholder="source, actor, resource" value={query} onChange={setQuery} />
        </ScreenHead>
        <TopicStates topic={topic} name="runs" count={runs.length} needs="the role viewer">
          {days.length === 0 && <NoMatch onClear={() => setQuery('')} />}
          {days.map(({ title, runs: some }) => (
            <section key={title}>
              <h2 className="group">{title}</h2>
              <ul>
                {some.map((each) => (
                  <Entry key={each.id} run={each} isSelected={each === run} />
                ))}
              </ul>
            </section>
          ))}
          {more}
        </TopicStates>
      </section>
      <Detail label="The selected run" shown={run?.id ?? id ?? null}>
        <PageLink path="/runs" keepSearch className="back">
          ‹ Runs
        </PageLink>
        {run ? (
          <RunView key={run.id} run={run} isAwake={isAwake} />
        ) : (
          id !== undefined && topic.isKnown && <OldRun key={id} id={id} />
        )}
      </Detail>
    </div>
  )
}

/** A run that the list no longer has. */
function OldRun({ id }: { id: string }) {
  const { controller } = useLive().clients
  const { data, error, refetch } = useQuery({
    queryKey: ['run', id],
    queryFn: ({ signal }) => controller.getRun({ params: { id }, signal }),
  })
  const isAwake = useAwake(data?.id ?? null)
  if (error) return <ReadFailure error={error} onRetry={() => void refetch()} />
  return data ? <RunView run={data} isAwake={isAwake} /> : <LoadingRows />
}

const Entry = memo(function Entry({ run, isSelected }: { run: Run; isSelected: boolean }) {
  const { id, status, revision, source, actor, started_at } = run
  return (
    <li>
      <PageLink path={pagePath('runs', id)} keepSearch isCurrent={isSelected} className="entry">
        <Shape state={runState(run)} word={status} />
        <span className="cut">
          {revision !== null && <code>{revision.slice(0, 7)}</code>} <CutText text={source} />
        </span>
        <span className="soft">
          <Moment at={started_at} />
        </span>
        <span className="below">
          <Quoted text={excerpt(actor)} />; {stepsText(run)}
        </span>
      </PageLink>
    </li>
  )
})
