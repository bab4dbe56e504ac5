/* lwIP for this firmware: IPv4 with ARP, DHCP, ICMP and UDP, driven by one loop. */
#pragma once

#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0
#define LWIP_TIMERS 1
#define LWIP_NETCONN 0
#define LWIP_SOCKET 0
#define LWIP_STATS 0

#define LWIP_ARP 1
#define LWIP_DHCP 1
#define LWIP_ICMP 1
#define LWIP_UDP 1
#define LWIP_TCP 0
#define LWIP_RAW 0
#define LWIP_IPV6 0

/* Stations whose addresses are known at a time. While one is being resolved, the last datagram for it
   waits in the buffer it came in, of which the Ethernet driver has one for each. */
#define ARP_TABLE_SIZE 4
#define ARP_QUEUEING 0

/* Datagrams are those that fit a frame. */
#define IP_REASSEMBLY 0
#define IP_FRAG 0

/* The address is used as soon as it is leased, as the other variants do. */
#define LWIP_ACD 0
#define LWIP_DHCP_DOES_ACD_CHECK 0

/* Heap of the messages that the stack itself sends: memory that the Ethernet DMA reads. */
#define MEM_ALIGNMENT 4
#define MEM_SIZE 4096
#define LWIP_RAM_HEAP_POINTER lwip_heap
extern unsigned char lwip_heap[];

/* The stack's own, and the supervision of the link. */
#define MEMP_NUM_SYS_TIMEOUT (LWIP_NUM_SYS_TIMEOUT_INTERNAL + 1)

/* DHCP's socket, the echo's, and that of the profiling builds. */
#define MEMP_NUM_UDP_PCB 3

/* Received frames lie in buffers of the Ethernet driver. */
#define LWIP_SUPPORT_CUSTOM_PBUF 1
#define PBUF_POOL_SIZE 0
#define ETH_PAD_SIZE 0
#define LWIP_NETIF_TX_SINGLE_PBUF 0

/* The MAC computes and checks them. */
#define CHECKSUM_GEN_IP 0
#define CHECKSUM_GEN_UDP 0
#define CHECKSUM_GEN_ICMP 0
#define CHECKSUM_CHECK_IP 0
#define CHECKSUM_CHECK_UDP 0
#define CHECKSUM_CHECK_ICMP 0

#define LWIP_RAND lwip_rand
unsigned int lwip_rand(void);
