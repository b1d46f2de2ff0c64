import { LiveFrame } from '../../gateway/live.ts'
import { socket } from '../operation.ts'

export const live = socket('gateway.live', '/live', {
  identity: 'caller',
  summary: 'Stream the changes of all services, and resume (WebSocket)',
  keyInFrame: true,
  ownUser: true,
  sends: LiveFrame,
})
