// Who is at the other end of a connection, found out once for each, when somebody wants to know.
import { connect, createServer, Socket, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { ConnectionList, type Found } from './connections.ts'
import { Holders, Lineages, type Lineage } from './processes.ts'

/** `here`: no connection at all, the request was made inside this process. */
export type Peer = { uid: number; inode: number } | 'untold' | 'gone' | 'here'

/** A row can be passed over while the list changes under its reader. */
const READINGS = 3

export class Peers {
  readonly #list: ConnectionList
  readonly #peers = new WeakMap<object, Promise<Peer>>()
  readonly #holders = new Holders()
  readonly #known = new Lineages()
  readonly #lineages = new WeakMap<object, Promise<Lineage | 'untold' | 'gone'>>()

  constructor(list = new ConnectionList()) {
    this.#list = list
  }

  /** Whose the other end is. */
  of(socket: object): Promise<Peer> {
    return remember(this.#peers, socket, () =>
      socket instanceof Socket ? this.#find(socket) : Promise.resolve('here'),
    )
  }

  /** Where the process at the other end comes from; `untold` also for one that we may not look into. */
  lineageOf(socket: object): Promise<Lineage | 'untold' | 'gone'> {
    return remember(this.#lineages, socket, async () => {
      const peer = await this.of(socket)
      if (peer === 'gone') return 'gone'
      if (typeof peer === 'string') return 'untold'
      const holder = await this.#holders.of(peer.inode)
      if (holder !== null) return this.#known.of(holder)
      // Closed in the meantime, or kept by a process that hides from us.
      return (await this.#find(socket as Socket)) === 'gone' ? 'gone' : 'untold'
    })
  }

  async #find(socket: Socket): Promise<Peer> {
    let found: Found = 'gone'
    for (let reading = 0; reading < READINGS && found === 'gone'; reading++) {
      const { remoteAddress, remotePort, localAddress, localPort } = socket
      if (socket.destroyed || remoteAddress === undefined || localAddress === undefined) return 'gone'
      const theirs = { address: remoteAddress, port: remotePort! }
      found = await this.#list.find(theirs, { address: localAddress, port: localPort! })
    }
    return found
  }
}

/** What was found out stays; a look that failed does not. */
function remember<T>(known: WeakMap<object, Promise<T>>, key: object, look: () => Promise<T>): Promise<T> {
  let found = known.get(key)
  if (found === undefined) {
    found = look()
    known.set(key, found)
    found.catch(() => known.delete(key))
  }
  return found
}

/** Whether this system tells who is at the other end of a loopback connection: tried with one of our own. */
export async function tellsPeers(list = new ConnectionList()): Promise<boolean> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [socket] = (await once(server, 'connection')) as [Socket]
  const peer = await new Peers(list).of(socket)
  for (const each of [client, socket]) each.destroy()
  server.close()
  return typeof peer !== 'string'
}
