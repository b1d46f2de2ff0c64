// In the order of opening and starting.
import { askRoutes } from '../api/ask.ts'
import { communicateRoutes } from '../api/communicate.ts'
import { conductorRoutes } from '../api/conductor.ts'
import { controllerRoutes } from '../api/controller/index.ts'
import type { Stoppable } from '../api/controller/shutdown.ts'
import { docstoreRoutes } from '../api/docstore/index.ts'
import { gatewayRoutes } from '../api/gateway/index.ts'
import { indexRoutes } from '../api/code-index.ts'
import { monitorRoutes } from '../api/monitor.ts'
import { notifyRoutes } from '../api/notify.ts'
import { orchestratorRoutes } from '../api/orchestrator/index.ts'
import { wrapRoutes } from '../api/wrap.ts'
import type { SourceConfig } from '../controller/index.ts'
import type { Controller } from '../controller/face.ts'
import { controller } from '../controller/service.ts'
import { installPage } from '../platform/http/page/page.ts'
import type { HttpServer } from '../platform/http/server.ts'
import { serve, type Host, type Served } from '../platform/service/define.ts'
import { holderFile } from '../platform/service/state-lock.ts'
import { createReconcilers } from '../reconcilers/index.ts'
import type { DocumentsConfig } from '../schemas/docstore/document.ts'
import type { OperationGroup } from '../schemas/operations/operation.ts'
import { everyService } from '../schemas/operations/services.ts'
import type { NotifyConfig } from '../schemas/notify/sinks.ts'
import type { SandboxSpec } from '../schemas/sandbox/sandbox.ts'
import { ask } from '../services/ask/service.ts'
import { communicate } from '../services/communicate/service.ts'
import { conductor, type ConductorParts } from '../services/conductor/service.ts'
import { docstore } from '../services/docstore/service.ts'
import { gateway } from '../services/gateway/service.ts'
import { index } from '../services/code-index/service.ts'
import { monitor, type MonitorParts } from '../services/monitor/service.ts'
import { notify } from '../services/notify/service.ts'
import { orchestrator } from '../services/orchestrator/service.ts'
import { wrap } from '../services/wrap/service.ts'
import { doctorOf } from './doctor.ts'
import { gatewayParts } from './gateway-parts.ts'
import type { FileSetting } from './settings/file-settings.ts'
import { shownSettings } from './settings/shown-settings.ts'
import { indexProgram, indexWeights, pageFolder } from './package-root.ts'

export interface Composition {
  sources: readonly SourceConfig[]
  notify?: NotifyConfig
  documents?: DocumentsConfig
  defaultSandbox?: SandboxSpec
  /** Settings of the configuration file. */
  written?: readonly FileSetting[]
  /** Replaces the machine in tests. */
  monitor?: MonitorParts
  /** Replaces the forge and git in tests. */
  conductor?: ConductorParts
}

export function services(composition: Composition): readonly Served[] {
  const all: readonly Served[] = composed(composition, () => all)
  return all
}

const composed = (
  {
    sources,
    notify: sinks = {},
    documents = {},
    defaultSandbox = 'auto',
    monitor: machine = {},
    conductor: conducted = {},
    written = [],
  }: Composition,
  all: () => readonly Served[],
): readonly Served[] => [
  serve(
    orchestrator,
    (app, face, host) =>
      orchestratorRoutes(app, face, (kind, liveId) => host.find(controller)?.managedBy(kind, liveId) ?? null),
    {
      parts: (host) => ({
        defaultSandbox,
        declared: (kind, liveId) => host.find(controller)?.declared(kind, liveId) ?? null,
      }),
    },
  ),
  serve(communicate, communicateRoutes),
  serve(docstore, docstoreRoutes, { parts: () => documents }),
  serve(index, indexRoutes, {
    parts: (host) => ({
      program: indexProgram(),
      weights: indexWeights(),
      directoriesOf: async (id) => host.find(orchestrator)?.agents.directories(id) ?? null,
    }),
  }),
  serve(controller, (app, face, host) => portRoutes(app, face, host, { all, written }), {
    needs: ['orchestrator', 'communicate', 'docstore', 'index'],
    parts: (host) => ({
      reconcilers: createReconcilers(
        host.find(orchestrator)!,
        host.find(communicate)!,
        host.find(docstore)!,
        host.find(index)!,
      ),
      sources,
      defaultSandbox,
      writersOf: (files) => host.find(orchestrator)!.writersOf(files),
    }),
  }),
  serve(notify, notifyRoutes, { parts: () => sinks }),
  serve(wrap, wrapRoutes),
  serve(ask, askRoutes),
  serve(monitor, monitorRoutes, { parts: () => machine }),
  serve(conductor, conductorRoutes, { parts: () => conducted }),
  serve(gateway, (app, face, host) => gatewayRoutes(app, face, groupsElsewhere(host)), {
    needs: ['controller', 'orchestrator'],
    parts: gatewayParts,
  }),
]

/** A group at the port of another is in the process of that port. */
const groupsElsewhere = (host: Host): readonly OperationGroup[] =>
  everyService.filter(({ service, mount }) => !mount && host.isElsewhere(service))

/** Binds PORT if several services run. */
export const PRIMARY = 'orchestrator'

interface About extends Pick<Required<Composition>, 'written'> {
  all(): readonly Served[]
}

/** The port of the controller is also that of the page. */
function portRoutes(app: HttpServer, face: Controller, host: Host, { all, written }: About): void {
  controllerRoutes(app, face, {
    host: stoppable(host),
    tokensFile: host.config.tokensFile,
    settings: () =>
      shownSettings({
        config: host.config,
        services: all().filter(({ definition }) => host.find(definition)),
        primary: PRIMARY,
        written,
      }),
    doctor: doctorOf(host),
  })
  installPage(app, { folder: pageFolder(), prefix: host.config.publicUrl?.pathname.replace(/\/$/, '') ?? '' })
}

function stoppable(host: Host): Stoppable {
  return { stop: (asked) => void host.stop(asked), lock: holderFile(host.config.dataDir) }
}
