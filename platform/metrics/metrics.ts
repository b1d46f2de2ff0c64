import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { eachOf, inPieces } from '../async/time-slices.ts'
import { oneAtOnce } from '../async/single-flight.ts'

export interface Sample {
  labels: Readonly<Record<string, string>>
  value: number
}

/** A value, one value per value of the only label, or samples. Null: unknown. */
export type Reading = number | null | Readonly<Record<string, number>> | readonly Sample[]

export interface Metric {
  type: 'counter' | 'gauge' | 'histogram'
  name: string
  help: string
  labels: readonly string[]
  /** For a histogram, the number of observed values. */
  read(): Reading | Promise<Reading>
  values?: Histogram
}

const declared =
  (type: 'counter' | 'gauge') =>
  (name: string, help: string, read: Metric['read'], labels: string | readonly string[] = []): Metric => ({
    type,
    name,
    help,
    labels: [labels].flat(),
    read,
  })

export const counter = declared('counter')
export const gauge = declared('gauge')

export function histogram(
  name: string,
  help: string,
  buckets: readonly number[],
): { metric: Metric; observe(value: number): void } {
  const values = new Histogram({ name, help, buckets: [...buckets], registers: [] })
  let count = 0
  return {
    metric: { type: 'histogram', name, help, labels: [], read: () => count, values },
    observe: (value) => {
      count++
      values.observe(value)
    },
  }
}

/** Registers a metric that is read on each scrape. Concurrent scrapes share one read. */
export function register(registry: Registry, metric: Metric): void {
  if (metric.values) return registry.registerMetric(metric.values)
  const { name, help, labels } = metric
  const taken = async () => {
    const samples = samplesOf(await metric.read(), labels)
    made.reset()
    await inPieces(eachOf(samples, put))
  }
  const options = { name, help, labelNames: [...labels], registers: [registry], collect: oneAtOnce(taken) }
  const [made, put] = metric.type === 'counter' ? counting(new Counter(options)) : setting(new Gauge(options))
}

type Put = (sample: Sample) => void

const counting = (made: Counter): [Counter, Put] => [made, ({ labels, value }) => made.inc({ ...labels }, value)]
const setting = (made: Gauge): [Gauge, Put] => [made, ({ labels, value }) => made.set({ ...labels }, value)]

function samplesOf(reading: Reading, [label = '']: readonly string[]): readonly Sample[] {
  if (typeof reading === 'number' || reading === null) return [{ labels: {}, value: reading ?? Number.NaN }]
  if (isSamples(reading)) return reading
  return Object.entries(reading).map(([word, value]) => ({ labels: { [label]: word }, value }))
}

const isSamples = (reading: object): reading is readonly Sample[] => Array.isArray(reading)
