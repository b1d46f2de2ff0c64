import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Resource } from '../../../schemas/resource.ts'
import { useAddressText } from '../../frame/address.ts'
import { useAwake } from '../../frame/decisions.ts'
import { Detail } from '../../parts/lists/detail.tsx'
import { pagePath, PageLink, useGo } from '../../frame/page-link.tsx'
import { ScreenHead } from '../../frame/screen-head.tsx'
import { TopicStates } from '../../frame/topic-states.tsx'
import { stateTopic } from '../../live/topics.ts'
import { useRecord, useTopic } from '../../live/use-live.ts'
import { FilterField, NoMatch } from '../../parts/forms/filter-field.tsx'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { Tree } from '../../parts/lists/tree.tsx'
import { EmptyNotice } from '../../parts/states/notices.tsx'
import { KEYS } from './keys.ts'
import { ResourceView } from './resource.tsx'
import { NodeFacts } from './node-facts.tsx'
import { GROUPINGS, matching, resourceTree } from './rows.ts'
import { useSampledRecords } from './sampled-records.ts'
import { SourceList } from './source-list.tsx'
import styles from './state.module.css'

/** Resources with their three sides, and the fields of one. */
export default function StateScreen() {
  const { kind, name } = useParams({ strict: false }) as { kind?: string; name?: string }
  const topic = useTopic(stateTopic)
  const resources = useSampledRecords(topic.cache)
  const selected = kind === undefined || name === undefined ? null : `${kind}/${name}`
  const record = useRecord(topic.cache, selected ?? '')
  const isAwake = useAwake(record?.id ?? null)
  const go = useGo()
  const planPath = record ? pagePath('plan', record.source) : '/plan'
  useKeys([
    { ...KEYS.back, run: () => go('/state', { keepSearch: true }) },
    { ...KEYS.plan, run: () => go(planPath) },
  ])
  return (
    <div className="two wider" data-open={selected !== null}>
      <section className={`list ${styles['list']}`} aria-label="Resources">
        <ScreenHead title="State" windowTitle={record?.id ?? 'State'}>
          <span className="space" />
          <PageLink path={planPath} className="btn small">
            Plan <kbd aria-hidden="true">{KEYS.plan.keys}</kbd>
          </PageLink>
        </ScreenHead>
        <TopicStates topic={topic} name="state" count={resources.length} needs="the role viewer">
          <ResourceTree resources={resources} selected={selected} isComplete={topic.isKnown} />
        </TopicStates>
      </section>
      <Detail label="The selected resource" shown={selected}>
        <PageLink path="/state" keepSearch className="back">
          ‹ State
        </PageLink>
        {record && <ResourceView key={record.id} resource={record} isAwake={isAwake} />}
        {!record && selected !== null && topic.isKnown && <EmptyNotice what={`No source owns ${selected}.`} />}
      </Detail>
    </div>
  )
}

interface ResourceTreeProps {
  resources: readonly Resource[]
  selected: string | null
  /** False while more resources are being read. */
  isComplete: boolean
}

function ResourceTree({ resources, selected, isComplete }: ResourceTreeProps) {
  const { cache } = useTopic(stateTopic)
  const [query, setQuery] = useAddressText('q')
  const [by, setBy] = useAddressText('by')
  const grouping = GROUPINGS.find((each) => each === by) ?? GROUPINGS[0]
  const go = useGo()
  const roots = useMemo(() => resourceTree(matching(resources, query), grouping), [resources, query, grouping])
  const open = (id: string) => go(pagePath('state', ...id.split('/')), { keepSearch: true })
  return (
    <>
      {isComplete ? (
        <SourceList resources={resources} />
      ) : (
        <p className={styles['source']}>{resources.length} resources read, reading more</p>
      )}
      <div className={`head ${styles['filter']}`}>
        <FilterField
          label="Filter resources"
          placeholder="is:odd kind:agents words"
          value={query}
          onChange={setQuery}
        />
        <select aria-label="Group resources" value={grouping} onChange={(event) => setBy(event.target.value)}>
          {GROUPINGS.map((each) => (
            <option key={each} value={each}>
              by {each}
            </option>
          ))}
        </select>
      </div>
      {roots.length === 0 && <NoMatch onClear={() => setQuery('')} />}
      <Tree
        key={grouping}
        label="Resources"
        roots={roots}
        selected={selected}
        onSelect={open}
        facts={(node) => <NodeFacts node={node} cache={cache} />}
        foldedText={(count) => `${count} more in sync`}
      />
    </>
  )
}
