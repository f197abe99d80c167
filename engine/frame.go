package main

import (
	"encoding/binary"
	"io"
)

// A frame: the length of the head, the length of the body (32 bits, the lowest byte first), the head (JSON), the body (the bytes
// of the files that the head lists, one after another).
const lengths = 8

func frame(head, body []byte) []byte {
	all := make([]byte, lengths, lengths+len(head)+len(body))
	binary.LittleEndian.PutUint32(all, uint32(len(head)))
	binary.LittleEndian.PutUint32(all[4:], uint32(len(body)))
	return append(append(all, head...), body...)
}

func readFrame(in io.Reader) (request, error) {
	var start [lengths]byte
	if _, err := io.ReadFull(in, start[:]); err != nil {
		return request{}, err
	}
	length := int(binary.LittleEndian.Uint32(start[:]))
	all := make([]byte, length+int(binary.LittleEndian.Uint32(start[4:])))
	if _, err := io.ReadFull(in, all); err != nil {
		return request{}, io.ErrUnexpectedEOF
	}
	return request{head: all[:length], body: all[length:]}, nil
}
