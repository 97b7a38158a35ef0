// All constraints at every node: arc consistency first, and when its queue is empty words apart, budgets and covers.
#pragma once

#include "covering.hpp"
#include "parting.hpp"
#include "spending.hpp"

namespace cpfill::mac {

class Propagator {
  public:
    Propagator(const Model& model, State& state, bool shifts_at_nodes)
        : consistency_(model, state),
          spending_(model, state, consistency_, shifts_at_nodes),
          covering_(model, state, consistency_),
          parting_(model, state, consistency_) {}

    Propagator(const Propagator&) = delete;  // its parts refer to one another
    Propagator& operator=(const Propagator&) = delete;

    Consistency& consistency() { return consistency_; }
    const Consistency& consistency() const { return consistency_; }
    Spending& spending() { return spending_; }
    const Spending& spending() const { return spending_; }
    Covering& covering() { return covering_; }

    // Propagate until nothing changes; false on a wipeout, after which the queue is empty.
    bool run() {
        do {
            if (!consistency_.revise_all()) return false;
            if (!parting_.part() || !spending_.spend() || !covering_.place() ||
                (consistency_.settled() && !spending_.shift())) {
                consistency_.clear();
                return false;
            }
        } while (!consistency_.settled());
        return true;
    }

  private:
    Consistency consistency_;
    Spending spending_;
    Covering covering_;
    Parting parting_;
};

}  // namespace cpfill::mac
