import type { Cluster, Member } from './cluster.ts'

/** Something that takes the primary away, and what puts everything right again. */
export interface Disaster {
  /** What ends the outage: another primary, the cluster that goes on without its standby, or only the repair. */
  readonly endsWith: 'another primary' | 'the same primary' | 'the repair'
  strike(cluster: Cluster, primary: Member): Promise<void>
  repair(primary: Member, other: Member): Promise<void>
}

const otherOf = ({ members }: Cluster, { name }: Member): Member => (name === 'one' ? members.two : members.one)

export { otherOf }

export const disasters = {
  /** The primary and its Patroni are killed, as if the machine had died. */
  kill: {
    endsWith: 'another primary',
    strike: (_, primary) => primary.kill(),
    repair: (primary) => primary.start(),
  },
  /** An operator moves the primary to the other machine. */
  switchover: {
    endsWith: 'another primary',
    strike: (cluster) => cluster.switchOver(),
    repair: async () => {},
  },
  /** Nobody reaches the primary, and it reaches nobody. It has to give up by itself. */
  isolation: {
    endsWith: 'another primary',
    strike: (_, primary) => primary.isolate(true),
    repair: (primary) => primary.isolate(false),
  },
  /** The two servers do not reach each other. Both reach etcd, and the service reaches both. */
  partition: {
    endsWith: 'the same primary',
    async strike(cluster, primary) {
      const other = otherOf(cluster, primary)
      await primary.part(other, true)
      await other.part(primary, true)
    },
    async repair(primary, other) {
      await primary.part(other, false)
      await other.part(primary, false)
    },
  },
  /** The disk of the primary is full. PostgreSQL stays up and refuses what needs room. */
  disk: {
    endsWith: 'the repair',
    strike: (_, primary) => primary.fillDisk(true),
    repair: (primary) => primary.fillDisk(false),
  },
} satisfies Readonly<Record<string, Disaster>>

export type DisasterName = keyof typeof disasters
