import { useMemo } from 'react'
import type { Resource } from '../../../schemas/resource.ts'
import { useSources } from '../../frame/use-sources.ts'
import { Shape } from '../../parts/states/shape.tsx'
import { Quoted } from '../../parts/text/quoted.tsx'
import { Age } from '../../parts/time/age.tsx'
import { countsText, sourceHeads, sourceState } from './rows.ts'
import styles from './state.module.css'

/** More sources than this are shown as one line. */
const MOST_SOURCES = 3

/** The sources of the resources: revision, ages and counts. */
export function SourceList({ resources }: { resources: readonly Resource[] }) {
  const { data: sources } = useSources()
  const heads = useMemo(() => sourceHeads(resources), [resources])
  if (heads.length > MOST_SOURCES)
    return (
      <p className={styles['source']}>
        <b>{heads.length} sources</b>
        <br />
        <span className="soft num">{countsText(resources)}</span>
      </p>
    )
  return heads.map(({ name, revision, readAt, appliedAt, counts }) => {
    const source = sources?.find((each) => each.name === name)
    const state = sourceState(source)
    return (
      <p key={name} className={styles['source']}>
        <b>
          <Quoted text={name} />
        </b>{' '}
        {source && (
          <span className="soft">
            <Quoted text={source.location} mono />
          </span>
        )}
        <br />
        <Shape state={state} /> {revision !== null && <code>{revision.slice(0, 7)}</code>}
        {readAt !== null && (
          <>
            , read <Age at={readAt} ago />
          </>
        )}
        {appliedAt !== null && (
          <>
            , applied <Age at={appliedAt} ago />
          </>
        )}
        <br />
        <span className="soft num">{counts}</span>
        {source?.error && (
          <>
            <br />
            <span className={source.held_back ? 'c-wait' : 'c-fail'}>
              <Quoted text={source.error} />
            </span>
          </>
        )}
      </p>
    )
  })
}
