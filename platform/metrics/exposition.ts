// prom-client formats everything at once, which blocks the event loop with thousands of series.
import { Registry, type Metric, type MetricObjectWithValues, type MetricValue } from 'prom-client'
import { hasTime, nextTurn } from '../async/time-slices.ts'

/** Series formatted without a pause. */
const AT_ONCE = 200

type Read = MetricObjectWithValues<MetricValue<string>>

/** Returns the same text as `registry.metrics()`, in slices. Rejects if a metric cannot be read. */
export async function exposition(registry: Registry): Promise<string> {
  const texts: string[] = []
  for (const metric of await registry.getMetricsAsJSON()) texts.push(await textOf(metric))
  return `${texts.join('\n\n')}\n`
}

async function textOf(metric: Read): Promise<string> {
  const lines: string[] = []
  for (let from = 0; from === 0 || from < metric.values.length; from += AT_ONCE) {
    if (!hasTime()) await nextTurn()
    const text = await formatted({ ...metric, values: metric.values.slice(from, from + AT_ONCE) })
    lines.push(from === 0 ? text : withoutHead(text))
  }
  return lines.join('\n')
}

/** prom-client formats any object with `get()`. */
function formatted(metric: Read): Promise<string> {
  const registry = new Registry()
  registry.registerMetric({ ...metric, get: () => Promise.resolve(metric) } as unknown as Metric)
  return registry.getSingleMetricAsString(metric.name)
}

/** HELP and TYPE appear once, one line each. */
function withoutHead(text: string): string {
  return text.slice(text.indexOf('\n', text.indexOf('\n') + 1) + 1)
}
