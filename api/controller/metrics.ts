// The controller's own figures for /metrics, asked of its face whenever somebody looks.
import { Gauge, type Registry } from 'prom-client'
import type { Controller } from '../../controller/face.ts'
import { sharedLook } from '../../platform/http/metrics.ts'

export function controllerMetrics(registry: Registry, controller: Pick<Controller, 'figures'>): void {
  const registers = [registry]
  const look = sharedLook(() => controller.figures())
  new Gauge({
    name: 'controller_resources',
    help: 'Resources of the inventory by kind',
    labelNames: ['kind'],
    registers,
    async collect() {
      const { resources } = await look()
      this.reset()
      for (const [kind, count] of Object.entries(resources)) this.set({ kind }, count)
    },
  })
  const figure = (
    name: string,
    help: string,
    of: (figures: Awaited<ReturnType<Controller['figures']>>) => number | null,
  ): void => {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(of(await look()) ?? Number.NaN)
      },
    })
  }
  figure('controller_drift_open', 'Fields that differ from what was last applied', (figures) => figures.drift_open)
  figure('controller_workqueue_depth', 'Resources that wait for their turn', (figures) => figures.workqueue_depth)
  figure(
    'controller_last_pass_seconds',
    'Length of the last pass over a source',
    (figures) => figures.last_pass_seconds,
  )
}
