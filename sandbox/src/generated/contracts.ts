// Made by contracts/build.ts from contracts/*.sol. Do not edit.
export const sandboxTokenAbi = [
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "name_",
        "type": "string"
      },
      {
        "internalType": "string",
        "name": "symbol_",
        "type": "string"
      },
      {
        "internalType": "uint8",
        "name": "decimals_",
        "type": "uint8"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "allowance",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "needed",
        "type": "uint256"
      }
    ],
    "name": "ERC20InsufficientAllowance",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "sender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "balance",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "needed",
        "type": "uint256"
      }
    ],
    "name": "ERC20InsufficientBalance",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "approver",
        "type": "address"
      }
    ],
    "name": "ERC20InvalidApprover",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "receiver",
        "type": "address"
      }
    ],
    "name": "ERC20InvalidReceiver",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "ERC20InvalidSender",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      }
    ],
    "name": "ERC20InvalidSpender",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "name": "OwnableInvalidOwner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "OwnableUnauthorizedAccount",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "Approval",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "previousOwner",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "newOwner",
        "type": "address"
      }
    ],
    "name": "OwnershipTransferred",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "Transfer",
    "type": "event"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      }
    ],
    "name": "allowance",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "approve",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "balanceOf",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "decimals",
    "outputs": [
      {
        "internalType": "uint8",
        "name": "",
        "type": "uint8"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "mint",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "name",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "owner",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "renounceOwnership",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "symbol",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "totalSupply",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "transfer",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "transferFrom",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "newOwner",
        "type": "address"
      }
    ],
    "name": "transferOwnership",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const;

export const sandboxTokenBytecode =
  '0x60a060405234801561000f575f5ffd5b50604051610bd0380380610bd083398101604081905261002e91610180565b338383600361003d838261028c565b50600461004a828261028c565b5050506001600160a01b03811661007a57604051631e4fbdf760e01b81525f600482015260240160405180910390fd5b61008381610092565b5060ff166080525061034a9050565b600580546001600160a01b038381166001600160a01b0319831681179093556040519116919082907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0905f90a35050565b634e487b7160e01b5f52604160045260245ffd5b5f82601f830112610106575f5ffd5b81516001600160401b0381111561011f5761011f6100e3565b604051601f8201601f19908116603f011681016001600160401b038111828210171561014d5761014d6100e3565b604052818152838201602001851015610164575f5ffd5b8160208501602083015e5f918101602001919091529392505050565b5f5f5f60608486031215610192575f5ffd5b83516001600160401b038111156101a7575f5ffd5b6101b3868287016100f7565b602086015190945090506001600160401b038111156101d0575f5ffd5b6101dc868287016100f7565b925050604084015160ff811681146101f2575f5ffd5b809150509250925092565b600181811c9082168061021157607f821691505b60208210810361022f57634e487b7160e01b5f52602260045260245ffd5b50919050565b601f821115610287578282111561028757805f5260205f20601f840160051c602085101561026057505f5b90810190601f840160051c035f5b81811015610283575f8382015560010161026e565b5050505b505050565b81516001600160401b038111156102a5576102a56100e3565b6102b9816102b384546101fd565b84610235565b6020601f8211600181146102eb575f83156102d45750848201515b5f19600385901b1c1916600184901b178455610343565b5f84815260208120601f198516915b8281101561031a57878501518255602094850194600190920191016102fa565b508482101561033757868401515f19600387901b60f8161c191681555b505060018360011b0184555b5050505050565b60805161086e6103625f395f61013c015261086e5ff3fe608060405234801561000f575f5ffd5b50600436106100cb575f3560e01c806370a082311161008857806395d89b411161006357806395d89b41146101c6578063a9059cbb146101ce578063dd62ed3e146101e1578063f2fde38b14610219575f5ffd5b806370a082311461017b578063715018a6146101a35780638da5cb5b146101ab575f5ffd5b806306fdde03146100cf578063095ea7b3146100ed57806318160ddd1461011057806323b872dd14610122578063313ce5671461013557806340c10f1914610166575b5f5ffd5b6100d761022c565b6040516100e49190610714565b60405180910390f35b6101006100fb366004610764565b6102bc565b60405190151581526020016100e4565b6002545b6040519081526020016100e4565b61010061013036600461078c565b6102d5565b60405160ff7f00000000000000000000000000000000000000000000000000000000000000001681526020016100e4565b610179610174366004610764565b6102f8565b005b6101146101893660046107c6565b6001600160a01b03165f9081526020819052604090205490565b61017961030e565b6005546040516001600160a01b0390911681526020016100e4565b6100d7610321565b6101006101dc366004610764565b610330565b6101146101ef3660046107e6565b6001600160a01b039182165f90815260016020908152604080832093909416825291909152205490565b6101796102273660046107c6565b61033d565b60606003805461023b90610817565b80601f016020809104026020016040519081016040528092919081815260200182805461026790610817565b80156102b25780601f10610289576101008083540402835291602001916102b2565b820191905f5260205f20905b81548152906001019060200180831161029557829003601f168201915b5050505050905090565b5f336102c981858561037f565b60019150505b92915050565b5f336102e2858285610391565b6102ed85858561040d565b506001949350505050565b61030061046a565b61030a8282610497565b5050565b61031661046a565b61031f5f6104cb565b565b60606004805461023b90610817565b5f336102c981858561040d565b61034561046a565b6001600160a01b03811661037357604051631e4fbdf760e01b81525f60048201526024015b60405180910390fd5b61037c816104cb565b50565b61038c838383600161051c565b505050565b6001600160a01b038381165f908152600160209081526040808320938616835292905220545f1981101561040757818110156103f957604051637dc7a0d960e11b81526001600160a01b0384166004820152602481018290526044810183905260640161036a565b61040784848484035f61051c565b50505050565b6001600160a01b03831661043657604051634b637e8f60e11b81525f600482015260240161036a565b6001600160a01b03821661045f5760405163ec442f0560e01b81525f600482015260240161036a565b61038c8383836105ee565b6005546001600160a01b0316331461031f5760405163118cdaa760e01b815233600482015260240161036a565b6001600160a01b0382166104c05760405163ec442f0560e01b81525f600482015260240161036a565b61030a5f83836105ee565b600580546001600160a01b038381166001600160a01b0319831681179093556040519116919082907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0905f90a35050565b6001600160a01b0384166105455760405163e602df0560e01b81525f600482015260240161036a565b6001600160a01b03831661056e57604051634a1406b160e11b81525f600482015260240161036a565b6001600160a01b038085165f908152600160209081526040808320938716835292905220829055801561040757826001600160a01b0316846001600160a01b03167f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925846040516105e091815260200190565b60405180910390a350505050565b6001600160a01b038316610618578060025f82825461060d919061084f565b909155506106889050565b6001600160a01b0383165f908152602081905260409020548181101561066a5760405163391434e360e21b81526001600160a01b0385166004820152602481018290526044810183905260640161036a565b6001600160a01b0384165f9081526020819052604090209082900390555b6001600160a01b0382166106a4576002805482900390556106c2565b6001600160a01b0382165f9081526020819052604090208054820190555b816001600160a01b0316836001600160a01b03167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef8360405161070791815260200190565b60405180910390a3505050565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b80356001600160a01b038116811461075f575f5ffd5b919050565b5f5f60408385031215610775575f5ffd5b61077e83610749565b946020939093013593505050565b5f5f5f6060848603121561079e575f5ffd5b6107a784610749565b92506107b560208501610749565b929592945050506040919091013590565b5f602082840312156107d6575f5ffd5b6107df82610749565b9392505050565b5f5f604083850312156107f7575f5ffd5b61080083610749565b915061080e60208401610749565b90509250929050565b600181811c9082168061082b57607f821691505b60208210810361084957634e487b7160e01b5f52602260045260245ffd5b50919050565b808201808211156102cf57634e487b7160e01b5f52601160045260245ffd';

export const etherForwarderAbi = [
  {
    "inputs": [],
    "name": "NotPassedOn",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address payable",
        "name": "to",
        "type": "address"
      }
    ],
    "name": "forward",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  }
] as const;

export const etherForwarderBytecode =
  '0x6080604052348015600e575f5ffd5b5060cc80601a5f395ff3fe608060405260043610601b575f3560e01c8063101e895214601f575b5f5ffd5b602e602a36600460a1565b6030565b005b5f816001600160a01b0316346040515f6040518083038185875af1925050503d805f81146077576040519150601f19603f3d011682016040523d82523d5f602084013e607c565b606091505b5050905080609d57604051630f38fd2760e11b815260040160405180910390fd5b5050565b5f6020828403121560b0575f5ffd5b81356001600160a01b038116811460c5575f5ffd5b939250505056';
