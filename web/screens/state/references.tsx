import type { ResourceDetail } from '../../../schemas/resource.ts'
import { pagePath, PageLink } from '../../frame/page-link.tsx'
import { Quoted } from '../../parts/text/quoted.tsx'

/** Resources that it depends on, and that depend on it. */
export function References({ detail: { references } }: { detail: ResourceDetail }) {
  const sides = [
    { title: 'uses', ids: references.to.ids },
    { title: 'used by', ids: references.from.ids },
  ].filter(({ ids }) => ids.length > 0)
  if (sides.length === 0) return null
  return (
    <section className="section">
      <h2>References</h2>
      <dl className="facts">
        {sides.map(({ title, ids }) => (
          <div key={title} className="pair">
            <dt>{title}</dt>
            <dd>
              {ids.map((id, index) => (
                <span key={id}>
                  {index > 0 && ', '}
                  <PageLink path={pagePath('state', ...id.split('/'))}>
                    <Quoted text={id} />
                  </PageLink>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
