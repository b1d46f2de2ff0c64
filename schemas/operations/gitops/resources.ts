import * as Type from 'typebox'
import { Resource, ResourceDetail, StateCounts, STATE_MEANINGS } from '../../resource.ts'
import { list, one } from '../operation.ts'
import { filterText, ResourceId } from '../parameters.ts'

const LONGEST_SEARCH = 1024

/** Fields that order resources, each followed by kind and name. */
export const RESOURCE_ORDERS = ['kind', 'name', 'source', 'file'] as const
export type ResourceOrder = (typeof RESOURCE_ORDERS)[number]

const orders = [...RESOURCE_ORDERS, ...RESOURCE_ORDERS.map((order) => `-${order}` as const)]

export const listResources = list('controller.listResources', '/resources', {
  identity: 'none',
  summary: 'List owned resources',
  query: Type.Object({
    q: Type.Optional(
      Type.String({
        maxLength: LONGEST_SEARCH,
        description:
          'Terms that must all hold: words of kind/name, file or labels, kind:KIND, source:NAME, label:NAME, ' +
          `label:NAME=VALUE, is:STATE. ${STATE_MEANINGS}`,
      }),
    ),
    kind: filterText('Any name of a kind: agents, agent or Agent'),
    source: filterText('Name of a source'),
    status: filterText('A condition that is True, such as Ready'),
    labels: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LONGEST_SEARCH,
        description: 'NAME or NAME=VALUE, several separated by commas: all must hold',
      }),
    ),
    sort: Type.Optional(
      Type.Enum(orders, { description: 'Order; kind (default) and the others are followed by kind and name' }),
    ),
  }),
  item: Resource,
  cursors: { counts: StateCounts },
})

export const getResource = one('controller.getResource', '/resources/:kind/:name', {
  identity: 'none',
  summary: 'Show desired, last applied and live state of a resource',
  params: ResourceId,
  item: ResourceDetail,
})
