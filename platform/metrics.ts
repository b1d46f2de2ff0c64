// Figures of a service, declared with how they are read; the host serves them.
import { Counter, Gauge, type Registry } from 'prom-client'

/** A figure, or one for each value of the label; null: not known now. */
export type Reading = number | null | Readonly<Record<string, number>>

export interface Metric {
  type: 'counter' | 'gauge'
  name: string
  help: string
  label: string | null
  read(): Reading | Promise<Reading>
}

/** Something that only grows while the process lives. */
export const counter = (name: string, help: string, read: Metric['read'], label: string | null = null): Metric => ({
  type: 'counter',
  name,
  help,
  label,
  read,
})

export const gauge = (name: string, help: string, read: Metric['read'], label: string | null = null): Metric => ({
  type: 'gauge',
  name,
  help,
  label,
  read,
})

/** Adds a metric to a registry; it is read whenever somebody looks. */
export function register(registry: Registry, metric: Metric): void {
  const options = {
    name: metric.name,
    help: metric.help,
    labelNames: metric.label === null ? [] : [metric.label],
    registers: [registry],
  }
  const set = async (figure: { reset(): void }, put: (labels: Record<string, string>, value: number) => void) => {
    const reading = await metric.read()
    figure.reset()
    if (typeof reading === 'number' || reading === null) put({}, reading ?? Number.NaN)
    else for (const [label, value] of Object.entries(reading)) put({ [metric.label!]: label }, value)
  }
  if (metric.type === 'counter') {
    const made: Counter = new Counter({
      ...options,
      collect: () => set(made, (labels, value) => made.inc(labels, value)),
    })
  } else {
    const made: Gauge = new Gauge({ ...options, collect: () => set(made, (labels, value) => made.set(labels, value)) })
  }
}
